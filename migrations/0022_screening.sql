-- Adds the expiry of identity documents. [G-51]

-- The last day on which the document of an accepted identity is valid, as `YYYY-MM-DD`; null: not
-- known. While it is known, `due` is when the clock warns, then when it requires a new document.
alter table kyc add column document_expires text collate "C",
  add constraint kyc_document_expires
    check (document_expires is null or (state = 'ACCEPT' and due is not null));

-- The date that a proposed acceptance states.
alter table review_proposal add column document_expires text collate "C";

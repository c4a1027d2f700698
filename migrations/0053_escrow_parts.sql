-- Escrows whose money goes in parts, at dates or by milestones.

-- JSON: total, dates, milestones and what was released or returned; null for an escrow that ends at
-- once and by its holding limit alone. Whoever moves such an escrow writes the version that it
-- moves to and its disputes here too. So a program that does not know the column cannot move it: it
-- would pay or return money that has gone already. [G-94, G-95]
alter table escrow add column course text;
alter table escrow add constraint escrow_course check (course is null
  or ((course::json ->> 'version')::integer = version
    and course::json ->> 'disputes' is not distinct from disputes));

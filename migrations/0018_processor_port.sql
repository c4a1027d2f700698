-- Where a statement is read on is the processor's own text; the number of a row is ours.
-- Before, the number was the processor's, and was both.
alter table statement_cursor add column cursor text collate "C";
update statement_cursor set cursor = line::text where line > 0;

-- Businesses registered outside the US. What they state is sealed with the rest; here is what
-- decisions need of it without opening it. [G-54, G-55]

-- JSON: parts of its registration that its country asks for and it has not stated.
alter table entity add column lacks text not null default '[]';

-- A registration number that the sandbox's register does not have.
alter table entity drop constraint entity_course_check;
alter table entity add constraint entity_course_check
  check (course in ('accept', 'deny', 'ask', 'unregistered', 'people'));

-- What an owner owns, as a band such as '25-50' or in percent; '' where it is not stated.
alter table entity_agent add column ownership text collate "C" not null default '';

-- One at a time thinks about a reply of the assistant in a thread: whoever does has the thread's first comment until then,
-- and a process that is killed meanwhile blocks it for no longer.
alter table comments add column reply_leased_until timestamptz;

-- When the certificate of an endpoint's receiver ends, as it was seen last: said in diagnoses and mails before it ends, and
-- where TLS fails afterwards. Written with what an attempt writes to its lane anyway.
alter table webhook_lanes add column certificate_ends_at timestamptz;

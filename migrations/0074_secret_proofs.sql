-- Whether a grading has shown that the receiver has the newest secret: kept with the endpoint, since it holds only for as
-- long as that has the same address, the same secret and key, and the same way to sign.
alter table webhook_endpoints add column newest_proved boolean;
drop index webhook_gradings_proof_idx;
alter table webhook_gradings drop column newest_proved;

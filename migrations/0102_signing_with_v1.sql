-- beside: 0074
-- run: batches
-- The header of a request always holds `v1`: what was signed by its key alone is signed by both. A program that knows the
-- migrations up to 0074 may still write `ed25519`; every reader takes that for `both`.
update webhook_endpoints e set signing = 'both'
from (select club_id, id from webhook_endpoints where signing = 'ed25519' limit 2000 for update) old
where e.club_id = old.club_id and e.id = old.id
returning 1

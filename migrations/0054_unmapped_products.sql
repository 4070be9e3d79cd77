-- What sales platforms sold that waits for a product mapping: the names of products, and how many events wait for each.

-- The name of each of `product_ids`, in the same place; null where the platform told none, and as a whole of what came
-- before names were kept.
alter table inbound_events add column product_names text[];

-- One row for each product, or offer of it, of an event that is `unmapped` and still has its body. `offer_id` is empty
-- where there is none. Kept by `keep_unmapped_products`, so that whatever changes an event need not know of it.
create table unmapped_products (
  club_id      uuid not null,
  event_id     uuid not null,
  platform     text not null,
  product_id   text not null check (char_length(product_id) between 1 and 200),
  offer_id     text not null check (char_length(offer_id) <= 200),
  received_at  timestamptz not null,
  primary key (club_id, event_id, product_id, offer_id),
  foreign key (club_id, event_id) references inbound_events (club_id, id) on delete cascade
);

-- Leads from one product to the next, and counts the events of one without looking at the table.
create index unmapped_products_product_idx on unmapped_products (club_id, platform, product_id, offer_id, event_id)
  include (received_at);

create function keep_unmapped_products() returns trigger language plpgsql as $$
begin
  if new.outcome = 'unmapped' and new.raw is not null then
    insert into unmapped_products (club_id, event_id, platform, product_id, offer_id, received_at)
    select distinct new.club_id, new.id, new.platform, product, coalesce(offer, ''), new.received_at
    from unnest(new.product_ids, new.offer_ids) as sold (product, offer)
    where product <> '';
  else
    delete from unmapped_products where club_id = new.club_id and event_id = new.id;
  end if;
  return null;
end $$;

-- Most events never wait for a mapping: for them the condition is all that is asked.
create trigger keep_unmapped_products_of_new after insert on inbound_events
  for each row when (new.outcome = 'unmapped' and new.raw is not null)
  execute function keep_unmapped_products();

create trigger keep_unmapped_products after update of outcome, raw on inbound_events
  for each row when (
    (old.outcome is not distinct from 'unmapped' and old.raw is not null)
      <> (new.outcome is not distinct from 'unmapped' and new.raw is not null)
  )
  execute function keep_unmapped_products();

-- What waits already.
insert into unmapped_products (club_id, event_id, platform, product_id, offer_id, received_at)
select distinct e.club_id, e.id, e.platform, sold.product, coalesce(sold.offer, ''), e.received_at
from inbound_events e cross join unnest(e.product_ids, e.offer_ids) as sold (product, offer)
where e.outcome = 'unmapped' and e.raw is not null and sold.product <> '';

-- beside: 0074
-- Checks the purposes of the links that were there before 0121, which locks out nobody.
alter table one_time_tokens validate constraint one_time_tokens_purposes_check;

-- Looks at the purposes of the media that were there before (0023), which locks out nobody, and lists mentorship files.

alter table media validate constraint media_purposes_check;

create index media_mentorship_idx on media (club_id, id desc) where purpose = 'mentorship' and removed_at is null;

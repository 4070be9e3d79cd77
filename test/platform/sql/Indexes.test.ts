import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Communities } from "../../../src/conversation/community/Communities.ts"
import { EventId } from "../../../src/events/EventType.ts"
import { KeyStore } from "../../../src/identity/keys/KeyStore.ts"
import { RightCheck } from "../../../src/identity/rights/RightCheck.ts"
import { SessionStore } from "../../../src/identity/sessions/SessionStore.ts"
import { OneTimeTokens } from "../../../src/identity/tokens/OneTimeTokens.ts"
import { Gamifications } from "../../../src/learning/gamification/Gamifications.ts"
import { Points } from "../../../src/learning/gamification/Points.ts"
import { GivenDeliveries } from "../../../src/membership/access/GivenDeliveries.ts"
import { AccountsRepo } from "../../../src/membership/accounts/AccountsRepo.ts"
import { CredentialRequests } from "../../../src/membership/accounts/CredentialRequests.ts"
import { Credentials } from "../../../src/membership/accounts/Credentials.ts"
import { Clubs } from "../../../src/membership/clubs/Clubs.ts"
import { Members } from "../../../src/membership/clubs/Members.ts"
import { sweepInvitations } from "../../../src/membership/clubs/MembersRepo.ts"
import { ClubKeys } from "../../../src/membership/keys/ClubKeys.ts"
import { DeviceLogins, sweepDeviceLogins } from "../../../src/membership/keys/DeviceLogins.ts"
import { sweepKeys } from "../../../src/membership/keys/EndedKeys.ts"
import { Email } from "../../../src/platform/http/Text.ts"
import { sweepIdempotencyKeys } from "../../../src/platform/idempotency/IdempotencyKeys.ts"
import type { ClockGuard } from "../../../src/platform/jobs/ClockGuard.ts"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { Diagnoses } from "../../../src/webhooks/endpoint/Diagnoses.ts"
import { Disabling } from "../../../src/webhooks/endpoint/Disabling.ts"
import { Endpoints } from "../../../src/webhooks/endpoint/Endpoints.ts"
import { Notices } from "../../../src/webhooks/endpoint/notices/Notices.ts"
import { DeliveryQueueRepo } from "../../../src/webhooks/engine/queue/DeliveryQueueRepo.ts"
import { RetentionRepo } from "../../../src/webhooks/engine/retention/RetentionRepo.ts"
import { FeedRepo } from "../../../src/webhooks/events/feed/FeedRepo.ts"
import { ClubDeliveriesRepo } from "../../../src/webhooks/history/delivery/ClubDeliveriesRepo.ts"
import { Deliveries } from "../../../src/webhooks/history/delivery/Deliveries.ts"
import { DeliveryHistory } from "../../../src/webhooks/history/delivery/DeliveryHistory.ts"
import { Drains } from "../../../src/webhooks/history/recovery/Drains.ts"
import { Recoveries } from "../../../src/webhooks/history/recovery/Recoveries.ts"
import { RecoveryWork } from "../../../src/webhooks/history/recovery/RecoveryWork.ts"
import { SeriesReads } from "../../../src/webhooks/history/series/SeriesReads.ts"
import { beginning } from "../../../src/webhooks/model/FeedPosition.ts"
import { webhookTables } from "../../../src/webhooks/model/WebhookTables.ts"
import { AppLayer, configLayer, enrolledStudent, foundClub } from "../../harness/App.ts"

// Takes long: each table gets 20,000 rows, and each query is explained.

const rows = 20_000

/** An endpoint, a message, a pending delivery and an attempt for every club, with ids of the first millisecond. */
const fillWebhooks = Effect.fnUntraced(function*(at: Date) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.flatMap(Partitions, ({ ensure }) => ensure(webhookTables, DateTime.makeUnsafe(0)))
  const id = sql`('00000000-0000-7' || substr(gen_random_uuid()::text, 16))::uuid`
  yield* sql`
    insert into webhook_endpoints (
      club_id, id, slot, url, description, event_types, status, secret, created_at, updated_at
    )
    select id, ${id}, 1, 'https://many.example/', '', array['student.created'], 'enabled', '\\x00', ${at}, ${at} from clubs
    on conflict do nothing`
  yield* sql`
    insert into webhook_lanes (club_id, endpoint_id, failing_since, rests)
    select club_id, id, ${at}, true from webhook_endpoints on conflict do nothing`
  yield* sql`
    insert into webhook_recoveries (
      club_id, endpoint_id, id, status, starts, since, newest_first, time_zone, preview, room, tokens_at, created_by,
      created_at, finished_at
    )
    select club_id, id, id, 'completed', false, ${at}, false, 'UTC', '{}', 1, ${at}, id, ${new Date(1)}, ${at}
    from webhook_endpoints`
  yield* sql`
    insert into webhook_recovery_moves select club_id, endpoint_id, id, id, 1 from webhook_recoveries`
  yield* sql`
    insert into webhook_previous_secrets select club_id, id, 1, '\\x00', ${new Date("2100-01-01")} from webhook_endpoints`
  yield* sql`
    insert into webhook_messages
    select club_id, ${id}, 'student.created', id, ${at}, ${at}, convert_to('{}', 'UTF8') from students`
  yield* sql`
    insert into webhook_feeds select id, '00000000-0000-7000-8000-000000000001'::uuid from clubs on conflict do nothing`
  yield* sql`
    insert into webhook_feed_events
    select club_id, ${id}, id, type, student_id, ${at}, ${at} from webhook_messages`
  yield* sql`
    insert into webhook_deliveries (
      club_id, endpoint_id, id, event_id, event_type, student_id, status, trigger, next_attempt_at, created_at
    )
    select m.club_id, e.id, ${id}, m.id, m.type, m.student_id, 'pending', 'schedule', ${at}, ${at}
    from webhook_messages m join webhook_endpoints e using (club_id)`
  yield* sql`
    insert into webhook_notices (club_id, endpoint_id, day, kind, at, is_open)
    select club_id, id, '2100-01-01', 'held', '2100-01-01', false from webhook_endpoints`
  yield* sql`
    insert into webhook_attempts (club_id, delivery_id, id, number, trigger, started_at, duration_ms)
    select club_id, id, ${id}, 1, 'schedule', ${at}, 1 from webhook_deliveries`
})

/** Fills every table that grows with people, so that a scan reads many rows. */
const fill = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const at = new Date(0)
  const later = new Date("2100-01-01")
  const ids = sql`select gen_random_uuid() as id, n from generate_series(1, ${rows}) n`
  const hash = sql`sha256(convert_to(id::text, 'UTF8'))`
  yield* sql`
    insert into users select id, 'u' || n || '@many.example', 'Many', 'unusable', ${at}, ${at} from (${ids})`
  yield* sql`
    insert into clubs select id, gen_random_uuid(), 'Many', 'many-' || n, 'UTC', 'en', true, ${at} from (${ids})`
  yield* sql`
    insert into members
    select c.id, u.id, 'owner', ${at} from (select id, row_number() over () n from clubs) c
    join (select id, row_number() over () n from users) u using (n)
    on conflict do nothing`
  yield* sql`
    insert into invitations
    select club_id, user_id, 'i@many.example', 'viewer', user_id, sha256(convert_to(user_id::text, 'UTF8')), ${at}, ${later}
    from members
    on conflict do nothing`
  yield* sql`
    insert into students
    select c.id, gen_random_uuid(), 's@many.example', 'Many', null, null, ${at} from clubs c`
  yield* sql`
    insert into user_sessions select id, ${hash}, id, ${at}, ${at}, ${later} from users on conflict do nothing`
  yield* sql`
    insert into student_sessions select id, ${hash}, club_id, id, ${at}, ${at}, ${later} from students`
  yield* sql`
    insert into sign_ups
    select id, null, 'p' || n || '@many.example', 'Many', 'unusable', null, ${at}, ${later} from (${ids})`
  yield* sql`
    insert into one_time_tokens (token_hash, purpose, user_id, expires_at)
    select ${hash}, 'reset', id, ${later} from users`
  yield* sql`
    insert into credential_requests
    select id, 'forgot', null, 'r' || n || '@many.example', 'en', null, 0, ${later}, ${at} from (${ids})`
  yield* sql`
    insert into mails select id, '\\x00', 0, ${later}, null, ${at} from (${ids})`
  yield* sql`
    insert into gamification select id, true, true from clubs on conflict do nothing`
  yield* sql`
    insert into levels select club_id, gen_random_uuid(), 'Many', 7 from gamification`
  yield* sql`
    insert into gamification_rules select club_id, 'quiz_passed', 7 from gamification on conflict do nothing`
  yield* sql`
    insert into communities select id, gen_random_uuid(), 'Many', '', ${at}, null from clubs on conflict do nothing`
  yield* sql`
    insert into spaces
    select club_id, gen_random_uuid(), 'Many', '', 'community', 'members', 'members', 9, ${at}, null from communities`
  yield* sql`
    insert into point_entries
    select club_id, gen_random_uuid(), id, 'quiz_passed', gen_random_uuid(), 5, null, null, ${at} from students`
  yield* sql`
    insert into club_keys (club_id, id, prefix, name, role, allowed_networks, user_id, created_at, expires_at)
    select club_id, gen_random_uuid(), lpad((row_number() over ())::text, 8, '0'), 'Many', 'viewer', '{}', user_id, ${at},
      ${later}
    from members`
  yield* sql`
    insert into club_key_tokens
    select sha256(convert_to(id::text, 'UTF8')), club_id, id, ${later} from club_keys`
  yield* sql`
    insert into device_logins (device_hash, user_hash, name, expires_at)
    select ${hash}, ${hash}, 'Many', ${later} from users`
  yield* sql`
    insert into idempotency_keys select ${hash}, ${hash}, '\\x00', ${later} from users`
  yield* fillWebhooks(at)
  yield* sql`analyze`
})

const decodeReads = Schema
  .decodeUnknownEffect(Schema.Array(Schema.Struct({ table: Schema.String, read: Schema.NumberFromString })))

// Counts rows that this connection has scanned and not reported yet, so compare two readings.
const scans = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const counts = yield* sql`
    select relname as "table", seq_tup_read::text as read from pg_stat_xact_user_tables
  `.pipe(Effect.flatMap(decodeReads))
  return new Map(counts.map(({ read, table }) => [table, read]))
})

/** The tables that this work scans, in its own transaction. */
const scannedBy = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    const before = yield* scans
    yield* work
    const after = yield* scans
    return [...after].filter(([table, read]) => read - (before.get(table) ?? 0) >= rows / 2).map(([table]) => table)
  }))
})

const TestLayer = Layer.mergeAll(
  AccountsRepo.layer,
  ClubDeliveriesRepo.layer,
  DeliveryQueueRepo.layer,
  Disabling.layer.pipe(Layer.provide(configLayer({}))),
  FeedRepo.layer,
  Notices.layer.pipe(Layer.provide(configLayer({}))),
  GivenDeliveries.layer,
  Partitions.layer,
  RecoveryWork.layer,
  RetentionRepo.layer,
  RightCheck.layer.pipe(Layer.provide(configLayer({})))
).pipe(Layer.provideMerge(AppLayer))

layer(TestLayer)("On large tables", (it) => {
  it.effect("every query of a request or a worker finds its rows by an index", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      yield* fill
      const sweeping = yield* Effect.context<ClockGuard | SqlClient.SqlClient>()
      const sessions = yield* SessionStore
      const accounts = yield* AccountsRepo
      const credentials = yield* Credentials
      const requests = yield* CredentialRequests
      const tokens = yield* OneTimeTokens
      const given = yield* GivenDeliveries
      const clubs = yield* Clubs
      const members = yield* Members
      const mailer = yield* Mailer
      const gamifications = yield* Gamifications
      const points = yield* Points
      const communities = yield* Communities

      const diagnoses = yield* Diagnoses
      const endpoints = yield* Endpoints
      const deliveries = yield* Deliveries
      const queue = yield* DeliveryQueueRepo
      const history = yield* DeliveryHistory
      const ofClub = yield* ClubDeliveriesRepo
      const feed = yield* FeedRepo
      const series = yield* SeriesReads
      const rights = yield* RightCheck
      const disabling = yield* Disabling
      const notices = yield* Notices
      const retention = yield* RetentionRepo
      const recoveries = yield* Recoveries
      const { tick } = yield* RecoveryWork
      const drains = yield* Drains

      const endpoint = yield* endpoints.create(club.id, {
        url: "https://93.184.215.14/",
        event_types: ["student.created"],
        description: "",
        status: "enabled"
      })
      const sent = yield* deliveries.sendTest(club, endpoint.id)
      const lane = { club_id: club.id, endpoint_id: endpoint.id }
      const epoch = DateTime.makeUnsafe(0)

      const token = Redacted.make(club.token)
      const found = yield* sessions.find(token, Option.some(club.organization_id))
      assert.isTrue(Option.isSome(found))
      if (Option.isNone(found) || found.value._tag !== "User" || Option.isNone(found.value.membership)) return
      const { session, user } = found.value
      const { club: place, role } = found.value.membership.value
      const me = { _tag: "Member", credential: { kind: "session", session }, user, club: place, role } as const
      const keys = yield* ClubKeys
      const key = yield* keys.create(me, { name: "A", role: "viewer" })
      const devices = yield* DeviceLogins
      const finds = yield* KeyStore
      const holder = { kind: "admin", user_id: user.id } as const
      const realm = { kind: "student", organization_id: club.organization_id } as const
      const page = { limit: 25 }

      const work: Record<string, Effect.Effect<unknown, unknown>> = {
        "a session and its right": sessions.find(token, Option.some(club.organization_id)),
        "a key and its right": finds.find(key.token, Option.none()),
        "the keys of a club": keys.list(club.id, page),
        "making a key": keys.create(me, { name: "A", role: "viewer" }),
        "changing a key": keys.patch(club.id, key.id, { name: "B" }),
        "giving a key another token": keys.rotate(club.id, key.id),
        "taking over a key": keys.adopt(me, key.id),
        "revoking a key": keys.revoke(club.id, key.id),
        "deleting keys that have ended": Effect.provideContext(sweepKeys, sweeping),
        "a terminal that begins": devices.begin("A"),
        "letting a terminal in": Effect.flip(devices.approve(me, { user_code: "BBBB-BBBB", role: "viewer" })),
        "a terminal that asks": Effect.flip(devices.redeem(Redacted.make("a"))),
        "deleting terminals that waited": Effect.provideContext(sweepDeviceLogins, sweeping),
        "a student's session": sessions.find(Redacted.make(student.token), Option.none()),
        "the sessions of a person": sessions.list(holder, session.id),
        "ending other sessions": sessions.endOthers(holder, session.id),
        "deleting expired sessions": sessions.sweep,
        "an administrator who signs in": accounts.candidate({ kind: "admin" }, user.email),
        "a student who signs in": accounts.candidate(realm, student.email),
        "an account by its address": accounts.byEmail({ kind: "admin" }, user.email),
        "a student by their address": accounts.byEmail(realm, student.email),
        "an account by its holder": accounts.byHolder(holder),
        "pending sign-ups": accounts.pendingSignUps({ kind: "admin" }, "p7@many.example"),
        "a one-time code": Effect.ignore(credentials.exchange("admin", Redacted.make("A".repeat(43)))),
        "a confirmation": Effect.ignore(credentials.confirm("admin", Redacted.make("A".repeat(43)))),
        "the account of a link": tokens.look("access", { kind: "admin" }, Redacted.make("A".repeat(43))),
        "the account of a student's link": tokens.look("reset", realm, Redacted.make("A".repeat(43))),
        "the sign-up of a link": tokens.lookAtSignUp(realm, Redacted.make("A".repeat(43))),
        "the deliveries that a mail names": given.of(club.id, [student.id]),
        "revoking links": tokens.revoke(holder),
        "deleting expired links": tokens.sweep,
        "the next credential request": requests.workOne,
        "the oldest due mail": mailer.oldestDueSeconds,
        "who I am": clubs.me(found.value),
        "a club": clubs.get(club.id),
        "members": members.list(me, page),
        "invitations": members.listInvitations(me, page),
        "inviting": members.invite(me, { email: Email.make("new@many.example"), role: "viewer" }),
        "accepting": Effect.ignore(members.accept(found.value, Redacted.make("A".repeat(43)))),
        "a ladder": gamifications.read(club.id),
        "a student's statement": points.statement(club.id, student.id, page),
        "a student's standing": points.standing(club.id, student.id),
        "a community": communities.read(club.id),
        "endpoints": endpoints.list(club.id, page),
        "an endpoint": endpoints.get(club.id, endpoint.id),
        "registering an endpoint": endpoints.create(club.id, {
          url: "https://93.184.215.14/",
          event_types: ["student.created"],
          description: "",
          status: "paused"
        }),
        "changing an endpoint": endpoints.patch(club.id, endpoint.id, { description: "Many" }),
        "a new secret": endpoints.rotateSecret(club.id, endpoint.id),
        "why an endpoint is delivering": diagnoses.of(club.id, endpoint.id),
        "webhook deliveries": history.list(club.id, endpoint.id, page),
        "webhook deliveries that wait": history.list(club.id, endpoint.id, { ...page, status: "pending" }),
        "webhook deliveries that failed": history.list(club.id, endpoint.id, { ...page, status: "failed" }),
        "webhook deliveries that succeeded": history.list(club.id, endpoint.id, { ...page, status: "succeeded" }),
        "webhook deliveries of a type": history.list(club.id, endpoint.id, { ...page, event_type: "purchase.paid" }),
        "a student's webhook deliveries": history.list(club.id, endpoint.id, { ...page, student_id: student.id }),
        "an event's deliveries to an endpoint": history.list(club.id, endpoint.id, {
          ...page,
          event_id: sent.event_id
        }),
        "a club's webhook deliveries": history.listAll(club.id, page),
        "a club's webhook deliveries that wait": history.listAll(club.id, { ...page, status: "pending" }),
        "a club's webhook deliveries that failed": history.listAll(club.id, { ...page, status: "failed" }),
        "a club's webhook deliveries of a type": history.listAll(club.id, { ...page, event_type: "purchase.paid" }),
        "a club's webhook deliveries about a student": history.listAll(club.id, { ...page, student_id: student.id }),
        "a club's webhook deliveries of an event": history.listAll(club.id, { ...page, event_id: sent.event_id }),
        "webhook deliveries by their ids": ofClub.byIds(club.id, [sent.id]),
        "what recovering would do": deliveries.previewRecovery(place, endpoint.id, epoch),
        "a recovery": recoveries.create(me, endpoint.id, { since: epoch, order: "newest", start: true }),
        "the recoveries of an endpoint": recoveries.list(club.id, endpoint.id, page),
        "work on recoveries": tick,
        "recoveries past their age": retention.removeRecoveries(epoch),
        "how far a drain is": drains.get(place, endpoint.id),
        "why all endpoints are delivering": diagnoses.all(club.id),
        "how an endpoint did by the hour": series.of(place, endpoint.id, "7d"),
        "how all endpoints did by the day": series.all(place, "30d"),
        "counts past their age": retention.removeCounts(epoch),
        "whether a session still has its right": rights.holds(me, { roles: ["owner"], feature: "webhooks" }),
        "a webhook delivery": history.get(club.id, endpoint.id, sent.id),
        "an event": history.event(club.id, sent.event_id),
        "an event that nobody wanted": Effect.ignore(history.event(club.id, EventId.make(student.id))),
        "the feed": feed.read(club.id, { position: beginning, limit: 25 }),
        "the feed of a type": feed.read(club.id, { position: beginning, limit: 25, type: "purchase.paid" }),
        "the feed of a student": feed.read(club.id, { position: beginning, limit: 25, student_id: student.id }),
        "feeds that are waited for": feed.further([{ club_id: club.id, position: beginning }]),
        "how an endpoint did": history.stats(club.id, endpoint.id, "7d"),
        "a test of an endpoint": deliveries.sendTest(club, endpoint.id),
        "sending a webhook delivery again": deliveries.resend(club.id, endpoint.id, sent.id),
        "recovering webhook deliveries": deliveries.recover(place, endpoint.id, epoch),
        "endpoints that accept nothing": disabling.disableOverdue,
        "what is to be told of endpoints": notices.sendAll,
        "what was told of endpoints": retention.removeNotices(epoch),
        "replaced secrets": retention.removeSecrets(epoch),
        "canceling a queue": queue.cancel(lane, "endpoint_disabled"),
        "deleting expired answers": Effect.provideContext(sweepIdempotencyKeys, sweeping),
        "deleting expired invitations": Effect.provideContext(sweepInvitations, sweeping)
      }
      for (const [name, effect] of Object.entries(work)) {
        assert.deepStrictEqual(yield* scannedBy(effect), [], name)
      }
    }))
})

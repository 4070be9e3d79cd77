import { DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { agentOpening } from "../../src/assistant/agents/AgentOpening.ts"
import { billingOpening } from "../../src/commerce/billing/BillingOpening.ts"
import { communityOpening } from "../../src/conversation/community/CommunityOpening.ts"
import { SessionStore } from "../../src/identity/sessions/SessionStore.ts"
import { gamificationOpening } from "../../src/learning/gamification/GamificationOpening.ts"
import { Level } from "../../src/learning/gamification/Ladder.ts"
import { ClubOpenings } from "../../src/membership/clubs/ClubOpenings.ts"
import { Clubs } from "../../src/membership/clubs/Clubs.ts"
import { FaceImages } from "../../src/membership/clubs/FaceImages.ts"
import { makeUser } from "../harness/Makers.ts"
import type { Actor } from "./requests.ts"
import { sized } from "./sized.ts"

/** Other people, clubs, ladders and sessions, so that the planner has a reason to use the indexes. */
const bystanders = sized(20_000, 100)

const tables = [
  "users",
  "clubs",
  "members",
  "students",
  "user_sessions",
  "student_sessions",
  "gamification",
  "gamification_rules",
  "levels"
]

/** Each row of `other` is a user with a session and a club with a ladder. The club has a student with a session. */
const seedBystanders = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const later = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { days: 30 }))
  yield* sql`
    create temporary table other on commit drop as
    select n, gen_random_uuid() as user_id, gen_random_uuid() as club_id, gen_random_uuid() as student_id
    from generate_series(1, ${bystanders}::int) n`
  yield* sql`
    insert into users (id, email, name, password_hash, verified_at, created_at)
    select user_id, 'user' || n || '@example.com', 'User ' || n, 'unusable', ${now}, ${now} from other`
  yield* sql`
    insert into clubs (id, organization_id, name, slug, time_zone, locale, sign_up_open, created_at)
    select club_id, gen_random_uuid(), 'Club ' || n, 'other-' || n, 'UTC', 'en', true, ${now} from other`
  yield* sql`
    insert into members (club_id, user_id, role, created_at) select club_id, user_id, 'owner', ${now} from other`
  yield* sql`
    insert into students (club_id, id, email, name, verified_at, created_at)
    select club_id, student_id, 'student' || n || '@example.com', 'Student ' || n, ${now}, ${now} from other`
  yield* sql`
    insert into user_sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at)
    select gen_random_uuid(), sha256(user_id::text::bytea), user_id, ${now}, ${now}, ${later} from other`
  yield* sql`
    insert into student_sessions (id, token_hash, club_id, student_id, created_at, last_seen_at, expires_at)
    select gen_random_uuid(), sha256(student_id::text::bytea), club_id, student_id, ${now}, ${now}, ${later}
    from other`
  yield* sql`
    insert into gamification (club_id, enabled, ranking_visible) select club_id, true, true from other`
  yield* sql`
    insert into gamification_rules (club_id, action, points)
    select club_id, action, 10
    from other, unnest(array['lesson_completed', 'course_completed', 'quiz_passed', 'comment_posted']) action`
  yield* sql`
    insert into levels (club_id, id, name, min_points)
    select club_id, gen_random_uuid(), 'Level ' || place, place * 100 from other, generate_series(0, 4) place`
})

const decodeLevels = Schema.decodeUnknownEffect(Schema.Array(Level))

const OpeningsLayer = ClubOpenings.layer([gamificationOpening, communityOpening, billingOpening, agentOpening])

/** The owner of three clubs, who uses the last one. Turma's own services make all this. */
const makeActor = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const clubs = yield* Clubs
  const sessions = yield* SessionStore
  const user = yield* makeUser()
  const { access_token, session } = yield* sessions.issue({ kind: "admin", user_id: user.id })
  const identity = { session, user: { id: user.id, name: user.name, email: user.email, verified: true } }
  yield* clubs.create(identity, { name: "Violão Fácil" })
  yield* clubs.create(identity, { name: "Cozinha em Casa" })
  const { organization_id } = yield* clubs.create(identity, { name: "Clube de Leitura" })
  const levels = yield* sql`
    select l.id, l.name, l.min_points
    from levels l join clubs c on c.id = l.club_id
    where c.organization_id = ${organization_id}
    order by l.min_points`.pipe(Effect.flatMap(decodeLevels))
  return { user_id: user.id, organization_id, access_token: Redacted.value(access_token), levels } satisfies Actor
})

/** Fills a migrated database and answers this many actors. */
export const seed = Effect.fn("seed")(
  function*(actors: number) {
    const sql = yield* SqlClient.SqlClient
    yield* sql.withTransaction(seedBystanders)
    const made = yield* Effect.replicateEffect(makeActor, actors)
    yield* Effect.forEach(tables, (table) => sql`vacuum (analyze) ${sql(table)}`)
    yield* sql`checkpoint`
    return made
  },
  Effect
    .provide(Layer.mergeAll(Clubs.layer.pipe(Layer.provide([OpeningsLayer, FaceImages.layer([])])), SessionStore.layer))
)

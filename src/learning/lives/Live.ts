import { Schema } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { HttpsUrl } from "../../platform/http/HttpsUrl.ts"
import { text } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"

/** A live of a club. UUIDv7. */
export const LiveId = brandedId("LiveId")
export type LiveId = typeof LiveId.Type

/** Students join it while it is `open`. An `ended` live stays ended. */
const LiveStatus = Schema.Literals(["scheduled", "open", "ended"])
type LiveStatus = typeof LiveStatus.Type

const about = {
  status:
    "The staff opens a scheduled live and ends an open one. Students join while it is open; an ended one stays so",
  title: "The live's title",
  description: "Its subject; may be empty",
  url: "Where it is shown, an https address",
  starts_at: "When it is announced to start. Nothing opens at that time by itself",
  ends_at:
    "When it is announced to end, later than its start; null if no end is announced. Nothing ends at that time by itself"
}

const example = {
  title: "Roda de flauta",
  description: "Tocamos juntos as três primeiras músicas.",
  url: "https://meet.example.com/roda-de-flauta",
  starts_at: "2026-08-20T22:00:00.000Z",
  ends_at: "2026-08-20T23:00:00.000Z"
}

const Url = Schema.NullOr(Schema.String.annotate({ format: "uri" }))

const fields = {
  id: LiveId.pipe(field("Names the live on all routes, and as an item of deliveries")),
  title: Schema.String.pipe(field(about.title, example.title)),
  description: Schema.String.pipe(field(about.description, example.description)),
  url: Url.pipe(field(`${about.url}; null without an address`, example.url)),
  starts_at: Instant.pipe(field(about.starts_at)),
  ends_at: InstantOrNull.pipe(field(about.ends_at, null)),
  status: LiveStatus.pipe(field(about.status))
}

/** A live as members see it. */
export class Live extends Schema.Class<Live>("Live")(Schema.Struct({
  ...fields,
  opened_at: InstantOrNull.pipe(field("When the staff let students in; null before that", null)),
  ended_at: InstantOrNull.pipe(field("When the staff ended it; null before that", null)),
  created_at: Instant.pipe(field("When the live was announced"))
}).annotate({ description: "A live as members see it" })) {}

/** A live as a student sees it. */
export const ClassroomLive = Schema.Struct({
  ...fields,
  url: Url.pipe(field(`${about.url}; null unless the live is open and has an address`, example.url)),
  status: LiveStatus.pipe(field(about.status, "open")),
  joined_at: InstantOrNull.pipe(field("When the student joined for the first time; null if they did not"))
}).annotate({ identifier: "ClassroomLive", description: "A live as a student sees it" })
export type ClassroomLive = typeof ClassroomLive.Type

/** A student who joined. */
export class Attendance extends Schema.Class<Attendance>("LiveAttendance")(Schema.Struct({
  student: Schema.Struct({
    id: StudentId.pipe(field("Names the student on the dashboard's routes")),
    name: Schema.String.pipe(field("The student's name now", "Noel Rosa"))
  }).pipe(field("Who came")),
  joined_at: Instant.pipe(field("When they joined for the first time"))
}).annotate({ description: "A student who joined a live" })) {}

/** The answer to joining. */
export class Joined extends Schema.Class<Joined>("JoinedLive")(Schema.Struct({
  live: ClassroomLive.pipe(field("The live, with the address at which it is shown")),
  joined_at: Instant.pipe(field("When the student joined for the first time")),
  points_awarded: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
    .pipe(field("The points that this request earned; 0 for any but the first, or if `live_attended` pays nothing", 20))
}).annotate({ description: "The result of joining a live" })) {}

const Title = text(1, 200)
const Description = text(0, 5000)
const SentUrl = Schema.NullOr(HttpsUrl)
const EndsAt = Schema.NullOr(Timestamp)

/** Without description, address and announced end unless said otherwise. */
export const CreateLive = Schema.Struct({
  title: Title.pipe(field(about.title, example.title)),
  description: Schema.optionalKey(Description)
    .pipe(field(`${about.description}; empty if absent`, example.description)),
  url: Schema.optionalKey(SentUrl).pipe(field(`${about.url}; null or absent: no address yet`, example.url)),
  starts_at: Timestamp.pipe(field(about.starts_at, example.starts_at)),
  ends_at: Schema.optionalKey(EndsAt).pipe(field(`${about.ends_at}. Null if it is absent`, example.ends_at))
})

/** Absent is unchanged, null clears. */
export const LivePatch = Schema.Struct({
  title: Schema.optionalKey(Title).pipe(field(about.title, example.title)),
  description: Schema.optionalKey(Description).pipe(field(about.description, example.description)),
  url: Schema.optionalKey(SentUrl).pipe(field(`${about.url}; null takes it away`, example.url)),
  starts_at: Schema.optionalKey(Timestamp).pipe(field(about.starts_at, example.starts_at)),
  ends_at: Schema.optionalKey(EndsAt).pipe(field(about.ends_at, example.ends_at))
})

/** It was not opened yet, or it has ended. */
export class LiveNotOpen extends ApiError<LiveNotOpen>()("LiveNotOpen", {
  status: 409,
  code: "live_not_open",
  message: {
    en: "The live is not open",
    "pt-BR": "A live não está aberta."
  }
}) {}

/** A live that has ended is not opened again. */
export class LiveEnded extends ApiError<LiveEnded>()("LiveEnded", {
  status: 409,
  code: "live_ended",
  message: {
    en: "The live has ended",
    "pt-BR": "A live terminou."
  }
}) {}

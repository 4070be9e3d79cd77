import { Effect, Schema } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { HttpsUrl } from "../../platform/http/HttpsUrl.ts"
import { text } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"

/** A live of a club. UUIDv7. */
export const LiveId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("LiveId"))
export type LiveId = typeof LiveId.Type

/** It is joined while it is `open`. Once `ended` it stays so. */
export const LiveStatus = Schema.Literals(["scheduled", "open", "ended"])
export type LiveStatus = typeof LiveStatus.Type

const Instant = Schema.DateTimeUtcFromDate

const shown = {
  id: LiveId,
  title: Schema.String,
  description: Schema.String,
  url: Schema.NullOr(Schema.String),
  starts_at: Instant,
  ends_at: Schema.NullOr(Instant),
  status: LiveStatus
}

/** A live as members see it. `starts_at` and `ends_at` announce it; it begins and ends when the staff says so. */
export class Live extends Schema.Class<Live>("Live")({
  ...shown,
  opened_at: Schema.NullOr(Instant),
  ended_at: Schema.NullOr(Instant),
  created_at: Instant
}) {}

/** A live as a student sees it. `url` is there while it is open; `joined_at`: since when the student takes part. */
export class ClassroomLive extends Schema.Class<ClassroomLive>("ClassroomLive")({
  ...shown,
  joined_at: Schema.NullOr(Instant)
}) {}

/** A student who joined. */
export class Attendance extends Schema.Class<Attendance>("LiveAttendance")({
  student: Schema.Struct({ id: StudentId, name: Schema.String }),
  joined_at: Instant
}) {}

/** The answer to joining. `joined_at` is that of the first time, `points_awarded` what this time was paid. */
export class Joined extends Schema.Class<Joined>("JoinedLive")({
  live: ClassroomLive,
  joined_at: Instant,
  points_awarded: Schema.Int
}) {}

const Title = text(1, 200)
const Description = text(0, 5000)
const Url = Schema.NullOr(HttpsUrl)
const EndsAt = Schema.NullOr(Timestamp)

/** Without description, address and announced end unless said otherwise. */
export const CreateLive = Schema.Struct({
  title: Title,
  description: Description.pipe(Schema.withDecodingDefaultKey(Effect.succeed(""))),
  url: Url.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  starts_at: Timestamp,
  ends_at: EndsAt.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
})

/** Absent is unchanged, null clears. */
export const LivePatch = Schema.Struct({
  title: Schema.optionalKey(Title),
  description: Schema.optionalKey(Description),
  url: Schema.optionalKey(Url),
  starts_at: Schema.optionalKey(Timestamp),
  ends_at: Schema.optionalKey(EndsAt)
})

/** It was not opened yet, or it has ended. */
export class LiveNotOpen extends ApiError<LiveNotOpen>()("LiveNotOpen", {
  status: 409,
  code: "live_not_open",
  message: "The live is not open"
}) {}

/** What has ended is not opened again. */
export class LiveEnded extends ApiError<LiveEnded>()("LiveEnded", {
  status: 409,
  code: "live_ended",
  message: "The live has ended"
}) {}

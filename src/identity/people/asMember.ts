import type { Effect } from "effect"
import { CurrentMember, CurrentStudent, type MemberIdentity, type StudentIdentity } from "./Identity.ts"

/** A handler of a route that members use: it gets the request, and the member who sends it. */
export const asMember =
  <Request, A, E, R>(handler: (request: Request, member: MemberIdentity) => Effect.Effect<A, E, R>) =>
  (request: Request): Effect.Effect<A, E, R | CurrentMember> => CurrentMember.use((member) => handler(request, member))

/** A handler of a route that students use: it gets the request, and the student who sends it. */
export const asStudent =
  <Request, A, E, R>(handler: (request: Request, student: StudentIdentity) => Effect.Effect<A, E, R>) =>
  (request: Request): Effect.Effect<A, E, R | CurrentStudent> =>
    CurrentStudent.use((student) => handler(request, student))

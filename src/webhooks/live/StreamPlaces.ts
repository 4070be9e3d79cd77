import { Context, Effect, Layer, Schema, type Scope } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { MemberCredential, MemberIdentity } from "../../identity/people/Identity.ts"

/** Streams of one club that one process has open at most: so many windows of the console. */
export const mostOfClub = 20

/** Streams that one session or key has open at most in one process, so that it leaves the club's others theirs. */
export const mostOfCredential = 5

/** Streams that one process has open at most, each of which costs it a statement a second. */
export const mostOfProcess = 200

/** Requests that wait in one process at most: all of them share one look a second. */
export const mostWaits = 2000

/** The club, or the session or key, has as many streams as it may. */
export class NoPlace extends Schema.TaggedError<NoPlace>()("NoPlace", {}) {}

/** The process has as many streams as it may. */
export class ProcessFull extends Schema.TaggedError<ProcessFull>()("ProcessFull", {}) {}

/** The session or key. Ids of both, and those of clubs, are all different. */
const holderOf = (credential: MemberCredential) =>
  credential.kind === "session" ? credential.session.id : credential.key.id

/** Bounds the streams and waits of this process, so that they can use up neither it nor its connections to the database. */
export class StreamPlaces extends Context.Service<StreamPlaces, {
  /** A place until the scope closes. */
  take(
    member: Pick<MemberIdentity, "club" | "credential">,
    by?: "stream" | "wait"
  ): Effect.Effect<void, NoPlace | ProcessFull, Scope.Scope>
}>()("turma/webhooks/live/StreamPlaces") {
  static readonly layer = Layer.sync(StreamPlaces, () => {
    const taken = new Map<string, number>()
    const all = { stream: 0, wait: 0 }
    const count = (id: string) => taken.get(id) ?? 0
    const add = (id: string, more: 1 | -1) => {
      if (count(id) + more === 0) taken.delete(id)
      else taken.set(id, count(id) + more)
    }
    const change = (by: keyof typeof all, club_id: ClubId, holder: string, more: 1 | -1) => {
      all[by] += more
      add(club_id, more)
      add(holder, more)
    }
    const most = { stream: mostOfProcess, wait: mostWaits }
    const take = (
      { club: { id }, credential }: Pick<MemberIdentity, "club" | "credential">,
      by: keyof typeof all = "stream"
    ) =>
      Effect.acquireRelease(
        Effect.suspend((): Effect.Effect<void, NoPlace | ProcessFull> => {
          const holder = holderOf(credential)
          if (count(id) >= mostOfClub || count(holder) >= mostOfCredential) return Effect.fail(new NoPlace())
          if (all[by] >= most[by]) return Effect.fail(new ProcessFull())
          change(by, id, holder, 1)
          return Effect.void
        }),
        () => Effect.sync(() => change(by, id, holderOf(credential), -1))
      )
    return StreamPlaces.of({ take })
  })
}

import { Context, Effect, Layer, Schema, type Scope } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"

/** Streams of one club that one process has open at most: so many windows of the console. */
export const mostOfClub = 20

/** Streams that one process has open at most, each of which costs it a statement a second. */
export const mostOfProcess = 200

/** There is no place for another stream. */
export class NoPlace extends Schema.TaggedError<NoPlace>()("NoPlace", {}) {}

/** Bounds the streams of this process, so that they can use up neither it nor its connections to the database. */
export class StreamPlaces extends Context.Service<StreamPlaces, {
  /** A place until the scope closes. */
  take(club_id: ClubId): Effect.Effect<void, NoPlace, Scope.Scope>
}>()("turma/webhooks/live/StreamPlaces") {
  static readonly layer = Layer.sync(StreamPlaces, () => {
    const taken = new Map<ClubId, number>()
    let all = 0
    const add = (club_id: ClubId, count: 1 | -1) => {
      const ofClub = (taken.get(club_id) ?? 0) + count
      all += count
      if (ofClub === 0) taken.delete(club_id)
      else taken.set(club_id, ofClub)
    }
    const take = (club_id: ClubId) =>
      Effect.acquireRelease(
        Effect.suspend(() => {
          if (all >= mostOfProcess || (taken.get(club_id) ?? 0) >= mostOfClub) return Effect.fail(new NoPlace())
          add(club_id, 1)
          return Effect.void
        }),
        () => Effect.sync(() => add(club_id, -1))
      )
    return StreamPlaces.of({ take })
  })
}

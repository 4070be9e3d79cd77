import { Context, Effect, Layer, Option, Schema, type Scope } from "effect"
import { Founders } from "../../../identity/people/Founders.ts"
import type { MemberCredential, MemberIdentity } from "../../../identity/people/Identity.ts"
import { FairPlaces, type Place } from "./FairPlaces.ts"

/** Streams of one club that one process has open at most: so many windows of the console. */
export const mostOfClub = 20

/** Streams that one session or key has open at most in one process, so that it leaves the club's others theirs. */
export const mostOfCredential = 5

/** The most streams that one process has open. Each costs it a statement a second. */
export const mostOfProcess = 200

/** Requests that wait in one process at most: all of them share one look a second. */
export const mostWaits = 2000

/** The club, or the session or key, has as many streams as it may. */
export class NoPlace extends Schema.TaggedError<NoPlace>()("NoPlace", {}) {}

/** The process has as many streams as it may, and nobody has so many more that one of theirs is ended. */
export class ProcessFull extends Schema.TaggedError<ProcessFull>()("ProcessFull", {}) {}

/** The session or key. Ids of both, and those of clubs, are all different. */
const holderOf = (credential: MemberCredential) =>
  credential.kind === "session" ? credential.session.id : credential.key.id

/** The member of a stream. */
interface Holder extends Pick<MemberIdentity, "credential"> {
  readonly club: Pick<MemberIdentity["club"], "id">
  readonly user: Pick<MemberIdentity["user"], "id">
}

/**
 * Bounds the streams and waits of this process: they use up neither it nor its connections to the database. Nobody gets all of
 * them: the clubs of one founder count together, and so do all streams of one account.
 */
export class StreamPlaces extends Context.Service<StreamPlaces, {
  /** A place until the scope closes, or until it is lost to somebody who has fewer. */
  take(holder: Holder, by?: "stream" | "wait"): Effect.Effect<Place, NoPlace | ProcessFull, Scope.Scope>
}>()("turma/webhooks/history/live/StreamPlaces") {
  static readonly layerNoDeps = Layer.effect(
    StreamPlaces,
    Effect.gen(function*() {
      const founders = yield* Founders
      const kinds = { stream: new FairPlaces(mostOfProcess), wait: new FairPlaces(mostWaits) }

      /** Of both kinds together. */
      const count = (name: string) => kinds.stream.count(name) + kinds.wait.count(name)

      const take = Effect.fnUntraced(function*({ club, credential, user }: Holder, by: keyof typeof kinds = "stream") {
        const founder = yield* founders.of(club.id)
        const [ofClub, ofCredential] = [`club ${club.id}`, `credential ${holderOf(credential)}`]
        const names = [
          `founder ${Option.getOrElse(founder, () => club.id)}`,
          `account ${user.id}`,
          ofClub,
          ofCredential
        ]
        return yield* Effect.acquireRelease(
          Effect.suspend((): Effect.Effect<Place, NoPlace | ProcessFull> => {
            if (count(ofClub) >= mostOfClub || count(ofCredential) >= mostOfCredential) {
              return Effect.fail(new NoPlace())
            }
            const place = kinds[by].take(names)
            return place === undefined ? Effect.fail(new ProcessFull()) : Effect.succeed(place)
          }),
          (place) => Effect.sync(() => kinds[by].leave(place))
        )
      })

      return StreamPlaces.of({ take })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(Founders.layer))
}

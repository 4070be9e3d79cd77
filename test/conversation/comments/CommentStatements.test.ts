import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AppLayer, listAt, send } from "../../harness/App.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { openCommunity } from "../community/OpenCommunity.ts"
import { type CommentsClub, idOf, makeImage, openCommentsClub } from "./CommentsClub.ts"

/** Makes threads with everything that comments can have. `images` adds one to each thread. */
const threads = Effect.fnUntraced(function*(club: CommentsClub, count: number, images: boolean) {
  const { ana, answer, bia, comment, react, save } = club
  for (let number = 0; number < count; number++) {
    const media_ids = images ? [yield* makeImage(club, ana)] : []
    const id = idOf(yield* comment(ana, { body: "x", mentions: [bia.id, club.owner.id], media_ids }))
    yield* comment(bia, { body: "y", parent_id: id })
    yield* answer(id, "z")
    yield* react(bia, id, "👍")
    yield* save(ana, id)
  }
})

layer(AppLayer.pipe(Layer.provideMerge(SpansLayer)))("Comments are read", (it) => {
  it.effect("in three statements, however many they are, and one more for their images", () =>
    Effect.gen(function*() {
      const reads = ({ ana, comments, inbox, saved }: CommentsClub) => [comments(ana), saved(ana), inbox()]
      const countsOf = (club: CommentsClub) =>
        Effect.forEach(reads(club), (read) => Effect.map(statements(read), ({ length }) => length))
      const [few, many, illustrated] = [yield* openCommentsClub, yield* openCommentsClub, yield* openCommentsClub]
      yield* threads(few, 1, false)
      yield* threads(many, 6, false)
      yield* threads(illustrated, 6, true)
      assert.lengthOf(listAt((yield* many.comments(many.ana)).json, "data"), 6)
      assert.deepStrictEqual(yield* countsOf(few), [3, 2, 2])
      assert.deepStrictEqual(yield* countsOf(many), [3, 2, 2])
      assert.deepStrictEqual(yield* countsOf(illustrated), [4, 3, 3])
    }))

  it.effect("as are posts and their comments", () =>
    Effect.gen(function*() {
      const club = yield* openCommunity
      const posts = yield* Effect.replicateEffect(club.post(club.ana, club.general, "x"), 5)
      const id = posts.map(idOf)[0] ?? ""
      const one = idOf(yield* club.comment(club.bia, id, "1"))
      for (const body of ["2", "3"]) yield* club.comment(club.bia, id, body)
      const link = send("GET", `${club.path}/classroom/comments/${one}`, { token: club.ana.token })
      const reads = [
        link,
        club.posts(club.ana, club.general),
        club.read(club.ana, id),
        club.comments(club.ana, id),
        club.comments(club, id),
        club.seen(club.ana)
      ]
      const counts = yield* Effect.forEach(reads, (read) => Effect.map(statements(read), ({ length }) => length))
      assert.deepStrictEqual(counts, [3, 3, 2, 3, 3, 2])
    }))
})

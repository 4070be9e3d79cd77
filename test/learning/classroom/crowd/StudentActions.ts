import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { send } from "../../../harness/App.ts"
import { answer } from "../OpenClassroom.ts"
import { anyOf, type Crowd, imagesOf, keyed, saying, someone, somewhere, words } from "./World.ts"

/** The actions of students. */
export const asStudent = {
  complete: (world: Crowd) =>
    send("PUT", `${world.path}/classroom/lessons/${somewhere(world).lesson.public_id}/completion`, someone(world)),
  undo: (world: Crowd) =>
    send("DELETE", `${world.path}/classroom/lessons/${somewhere(world).lesson.public_id}/completion`, someone(world)),
  attempt: (world: Crowd) =>
    send("POST", `${world.path}/classroom/quizzes/${somewhere(world).quiz.id}/attempts`, {
      token: someone(world).token,
      body: { answers: [0, 1].map((n) => answer(n, world.dice.between(0, 1))) },
      headers: keyed(world, "attempt")
    }),
  submit: Effect.fnUntraced(function*(world: Crowd) {
    const { id, token } = someone(world)
    const media_ids = yield* imagesOf(world, id, "submission")
    return yield* send("POST", `${world.path}/classroom/assignments/${somewhere(world).assignment.id}/submissions`, {
      token,
      body: { body: "segredo", media_ids },
      headers: keyed(world, "submit")
    })
  }),
  comment: Effect.fnUntraced(function*(world: Crowd) {
    const { id, token } = someone(world)
    const body = yield* saying(world, yield* imagesOf(world, id, "comment"))
    const place = `${world.path}/classroom/lessons/${somewhere(world).lesson.public_id}/comments`
    return yield* send("POST", place, { token, body, headers: keyed(world, "comment") })
  }),
  commentPost: Effect.fnUntraced(function*(world: Crowd) {
    const { id, token } = someone(world)
    const body = yield* saying(world, yield* imagesOf(world, id, "comment"))
    const place = `${world.path}/classroom/community/posts/${yield* anyOf(world, "posts")}/comments`
    return yield* send("POST", place, { token, body, headers: keyed(world, "post-comment") })
  }),
  post: (world: Crowd) =>
    send("POST", `${world.path}/classroom/community/spaces/${world.space}/posts`, {
      token: someone(world).token,
      body: { body: "segredo" },
      headers: keyed(world, "post")
    }),
  mark: Effect.fnUntraced(function*(world: Crowd) {
    const { dice, path } = world
    const one = `${path}/classroom/comments/${yield* anyOf(world, "comments")}`
    const { token } = someone(world)
    return yield* dice.weighted([
      [3, send("PUT", `${one}/reactions/${encodeURIComponent("👍")}`, { token })],
      [1, send("DELETE", `${one}/reactions/${encodeURIComponent("👍")}`, { token })],
      [1, send("PUT", `${one}/saved`, { token })],
      [2, send("POST", `${one}/report`, { token, body: { reason: "segredo" } })],
      [1, send("PATCH", one, { token, body: { body: words(world) } })],
      [1, send("DELETE", one, { token })]
    ])
  }),
  ask: Effect.fnUntraced(function*(world: Crowd) {
    const { id, token } = someone(world)
    const body = { content: "Quantos dedos tem o acorde?", media_ids: yield* imagesOf(world, id, "ask") }
    const place = `${world.path}/classroom/lessons/${somewhere(world).lesson.public_id}/ask`
    return yield* send("POST", place, { token, body, headers: keyed(world, "ask") })
  }),
  cancel: Effect.fnUntraced(function*(world: Crowd) {
    const { id, token } = someone(world)
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`select id from messages where student_id = ${id}::uuid order by id desc limit 2`
    const message = String(world.dice.pick(rows)?.["id"])
    return yield* send("POST", `${world.path}/classroom/ask/messages/${message}/cancel`, { token })
  }),
  join: (world: Crowd) => send("POST", `${world.path}/classroom/lives/${world.live_id}/join`, someone(world)),
  begin: (world: Crowd) =>
    send("POST", `${world.path}/classroom/media`, {
      token: someone(world).token,
      body: { purpose: "comment", file_name: "segredo.png", mime: "image/png", size_bytes: 100 },
      headers: keyed(world, "media")
    }),
  look: (world: Crowd) => {
    const { public_id } = somewhere(world).lesson
    const where = world.dice.weighted([
      [1, "/classroom"],
      [1, `/classroom/lessons/${public_id}`],
      [1, `/classroom/lessons/${public_id}/ask`],
      [1, `/classroom/lessons/${public_id}/comments`],
      [1, `/classroom/community/spaces/${world.space}/posts`],
      [1, "/classroom/ranking?period=7d"]
    ])
    return send("GET", `${world.path}${where}`, someone(world))
  }
}

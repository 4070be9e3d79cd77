import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, send } from "../../../harness/App.ts"
import { makeMedia } from "../../../harness/Makers.ts"
import { anyOf, arrive, type Crowd, keyed, saying, someone, somewhere } from "./World.ts"

/** The latest blocks. The first blocks of the world stay. */
const lastBlocks = Effect.fnUntraced(function*({ club_id }: Crowd) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`
    select id from blocks where club_id = ${club_id} and kind in ('file', 'text') and position > 3 and deleted_at is null
    order by id limit 1`
})

/** One of the assistant's latest replies, perhaps a deleted one. */
const someReply = Effect.fnUntraced(function*({ club_id, dice }: Crowd) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select id, answers_id from comments where club_id = ${club_id} and author = 'assistant' order by id desc limit 6`
  return dice.pick(rows)
})

/** Reads a list and reverses its order. */
const orderOf = Effect.fnUntraced(function*({ token }: Crowd, list: string) {
  const { json } = yield* send("GET", list, { token })
  const data = at(json, "data")
  const ids = Array.isArray(data) ? data.map((item) => at(item, "id")).toReversed() : []
  return yield* send("PUT", `${list}/order`, { token, body: { ids } })
})

/** The actions of the staff. */
export const asStaff = {
  review: Effect.fnUntraced(function*(world: Crowd) {
    const one = `${world.path}/assignments/submissions/${yield* anyOf(world, "submissions")}`
    const [what, body] = world.dice.chance(0.5) ? ["approve", {}] : ["reject", { feedback: "segredo" }]
    return yield* send("POST", `${one}/${what}`, { token: world.token, body })
  }),
  moderate: Effect.fnUntraced(function*(world: Crowd) {
    const { dice, path, token } = world
    const one = `${path}/comments/${yield* anyOf(world, "comments")}`
    const said = {
      ...yield* saying(world, dice.chance(0.2) ? world.media.slice(1).map(({ id }) => id) : []),
      parent_id: undefined
    }
    return yield* dice.weighted([
      [2, send("PATCH", one, { token, body: { pending: dice.chance(0.3), spam: dice.chance(0.2) } })],
      [3, send("POST", `${one}/replies`, { token, body: said, headers: keyed(world, "reply") })],
      [3, send("POST", `${one}/assistant-reply`, { token })],
      [1, send("DELETE", one, { token })]
    ])
  }),
  /** Asks the assistant twice for a reply to a question, and sometimes marks the question as answered meanwhile. */
  answer: Effect.fnUntraced(function*(world: Crowd) {
    const { dice, path, token } = world
    const asked = yield* send("POST", `${path}/classroom/lessons/${somewhere(world).lesson.public_id}/comments`, {
      token: someone(world).token,
      body: {
        body: dice.chance(0.5)
          ? "segredo: e o acorde?"
          : "segredo: e a escala?"
      }
    })
    const one = `${path}/comments/${String(at(asked.json, "data", "id"))}`
    const reply = send("POST", `${one}/assistant-reply`, { token })
    const mark = dice.chance(0.5) ? send("PATCH", one, { token, body: { answered: true } }) : Effect.void
    const [answer] = yield* Effect.all([reply, reply, mark], { concurrency: "unbounded" })
    return answer
  }),
  /** Deletes a reply of the assistant, and asks for another reply several times at once. */
  answerAgain: Effect.fnUntraced(function*(world: Crowd) {
    const { path, token } = world
    const reply = yield* someReply(world)
    const deletion = send("DELETE", `${path}/comments/${String(reply?.["id"])}`, { token })
    const again = send("POST", `${path}/comments/${String(reply?.["answers_id"])}/assistant-reply`, { token })
    yield* Effect.all([deletion, again], { concurrency: "unbounded" })
    const [answer] = yield* Effect.all([again, again], { concurrency: "unbounded" })
    return answer
  }),
  moderatePost: Effect.fnUntraced(function*(world: Crowd) {
    const { dice, path, token } = world
    const one = `${path}/community/posts/${yield* anyOf(world, "posts")}`
    return yield* dice.weighted([
      [2, send("PATCH", one, { token, body: { pinned: dice.chance(0.5), hidden: dice.chance(0.2) } })],
      [1, send("DELETE", one, { token })]
    ])
  }),
  adjust: (world: Crowd) =>
    send("POST", `${world.path}/students/${someone(world).id}/points`, {
      token: world.token,
      body: { points: world.dice.between(-20, 50) || 1, reason: "segredo" },
      headers: keyed(world, "points")
    }),
  remove: (world: Crowd) =>
    Effect.tap(
      send("DELETE", `${world.path}/students/${someone(world).id}`, { token: world.token }),
      () => arrive(world)
    ),
  move: (world: Crowd) =>
    send("PATCH", `${world.path}/students/${someone(world).id}`, {
      token: world.token,
      body: { email: `moved-${world.dice.unit()}@student.example` }
    }),
  live: ({ dice, live_id, path, token }: Crowd) =>
    dice.chance(0.5)
      ? send("PATCH", `${path}/lives/${live_id}`, { token, body: { title: "Outra roda" } })
      : send("POST", `${path}/lives/${live_id}/${dice.chance(0.05) ? "close" : "open"}`, { token }),
  grant: (world: Crowd) =>
    send("POST", `${world.path}/students/${someone(world).id}/grants`, {
      token: world.token,
      body: { delivery_id: world.other.id, reason: "segredo" },
      headers: keyed(world, "grant")
    }),
  import: ({ dice, path, students, token }: Crowd) => {
    const rows = dice.some(students, 0.7).map(({ email }) => ({ name: "Caio", email, delivery: "Outra" }))
    const more = { name: "Caio", email: `row-${dice.between(0, 20)}@list.example` }
    return send("POST", `${path}/students/imports`, { token, body: { rows: [...rows, more] } })
  },
  course: Effect.fnUntraced(function*(world: Crowd) {
    const { course, dice, modules, path, token } = world
    const module = dice.pick(modules)
    const made = yield* dice.weighted([
      [1, send("POST", `${path}/courses`, { token, body: { title: "Curso" }, headers: keyed(world, "course") })],
      [1, send("POST", `${path}/courses/${course.id}/modules`, { token, body: { title: "Módulo" } })],
      [2, send("POST", `${path}/modules/${module?.id}/lessons`, { token, body: { title: "Aula" } })]
    ])
    const id = String(at(made.json, "data", "id"))
    if (dice.chance(0.3)) yield* orderOf(world, `${path}/courses`)
    const kind = at(made.json, "data", "module_id")
      ? "lessons"
      : at(made.json, "data", "course_id")
      ? "modules"
      : "courses"
    return yield* send("DELETE", `${path}/${kind}/${id}`, { token })
  }),
  budget: (world: Crowd) =>
    send("PATCH", `${world.path}/agents/${world.agent_id}`, {
      token: world.token,
      body: { daily_limit: world.dice.between(20, 1000), monthly_budget: world.dice.pick([null, 1000]) ?? null }
    }),
  free: (world: Crowd) =>
    send("POST", `${world.path}/deliveries`, {
      token: world.token,
      body: { name: "Free", free: true, items: [{ kind: "course", id: world.course.id }] },
      headers: keyed(world, "free")
    }),
  lesson: Effect.fnUntraced(function*(world: Crowd) {
    const { dice, path, token } = world
    const { lesson } = somewhere(world)
    const one = `${path}/lessons/${lesson.id}`
    const module = dice.pick(world.modules)
    const published_at = dice.chance(0.3) ? null : "2026-01-01T00:00:00Z"
    return yield* dice.weighted([
      [2, send("PATCH", one, { token, body: { title: `Aula ${dice.between(1, 9)}` } })],
      [1, send("PATCH", one, { token, body: { module_id: module?.id } })],
      [2, send("PUT", `${one}/publication`, { token, body: { published_at } })],
      [1, orderOf(world, `${one}/blocks`)],
      [1, orderOf(world, `${path}/modules/${module?.id}/lessons`)],
      [1, orderOf(world, `${path}/courses/${world.course.id}/modules`)]
    ])
  }),
  block: Effect.fnUntraced(function*(world: Crowd) {
    const { dice, media, path, token } = world
    const { lesson, text } = somewhere(world)
    const media_id = dice.pick(media)?.id
    const body = dice.chance(0.5)
      ? { kind: "file", media_id, title: null }
      : { kind: "text", title: null, body: "Dó maior." }
    const [last] = yield* lastBlocks(world)
    return yield* dice.weighted([
      [3, send("POST", `${path}/lessons/${lesson.id}/blocks`, { token, body, headers: keyed(world, "block") })],
      [2, send("PATCH", `${path}/blocks/${text.id}`, { token, body: { body: `Dó maior ${dice.between(1, 9)}.` } })],
      [2, send("DELETE", `${path}/blocks/${String(last?.["id"])}`, { token })]
    ])
  }),
  media: Effect.fnUntraced(function*(world: Crowd) {
    const { club, dice, media, path, token } = world
    const n = dice.between(0, 1)
    const one = `${path}/media/${media[n]?.id}`
    if (dice.chance(0.5)) return yield* send("PUT", `${one}/transcript`, { token, body: { text: "Dó, mi, sol." } })
    const answer = yield* send("DELETE", one, { token })
    if (answer.status === 204) {
      media[n] = yield* makeMedia(club, n === 0 ? { kind: "video", provider: "youtube" } : { kind: "image" })
    }
    return answer
  })
}

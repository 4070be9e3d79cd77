import { Duration, Effect, Exit } from "effect"
import { Endpoints } from "../../src/webhooks/endpoint/Endpoints.ts"
import { Deliveries } from "../../src/webhooks/history/delivery/Deliveries.ts"
import { EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import { inboxScheme, inboxUrl } from "../../src/webhooks/model/InboxId.ts"
import { inboxLife } from "../../src/webhooks/workbench/inbox/Inbox.ts"
import { Inboxes } from "../../src/webhooks/workbench/play/Inboxes.ts"
import { createAt, types } from "./Administration.ts"
import { pathOf } from "./Network.ts"
import type { Scene, SeenInbox } from "./Scene.ts"
import { ownNames } from "./Settings.ts"
import { Broken } from "./World.ts"

// Inboxes of our own. Endpoints of their club send to them for an hour.

const answers = [
  { status: 200, delay_ms: 0, retry_after_seconds: null },
  { status: 204, delay_ms: 2500, retry_after_seconds: null },
  { status: 503, delay_ms: 0, retry_after_seconds: 30 },
  { status: 302, delay_ms: 0, retry_after_seconds: null },
  // Longer than an attempt may take.
  { status: 200, delay_ms: 16_000, retry_after_seconds: null }
]

/** An inbox shows the requests sent to it with a right signature. It seals values of the endpoint's own headers. */
const look = Effect.fnUntraced(function*({ world }: Scene, { club, id, path }: SeenInbox) {
  const shown = yield* world.inApi(Effect.gen(function*() {
    const inboxes = yield* Inboxes
    const { data } = yield* inboxes.requests(club, id, { limit: 3 })
    return yield* Effect.forEach(data, (request) => inboxes.request(club, id, request.id))
  }))
  if (shown === undefined || Exit.isFailure(shown)) return
  for (const { body, headers, number, signature } of shown.value) {
    world.checks.saw("inbox read")
    const sent = new Map(headers.map(({ name, value }) => [name, value]))
    const isSent = world.ground.network.posts.some((post) =>
      pathOf(post.url) === path && post.headers["webhook-id"] === sent.get("webhook-id") &&
      post.headers["webhook-signature"] === sent.get("webhook-signature") && Buffer.from(post.body).toString() === body
    )
    const isHidden = headers.every(({ name, value }) => ownNames.has(name) === (value === "(sealed)"))
    if (!isSent || !isHidden || signature?.verified !== true) {
      throw new Broken(`Inbox ${id} shows ${JSON.stringify({ number, headers, body, signature })}`)
    }
  }
})

/** A person makes an inbox and an endpoint that sends to it, or looks into one. */
export const play = Effect.fnUntraced(function*(scene: Scene) {
  const { checks, ground: { dice } } = scene.world
  const seen = scene.inboxes.at(-1)
  if (seen !== undefined && scene.isPlaying() && dice.chance(0.9)) return yield* look(scene, seen)
  const club = scene.club()
  const answer = dice.pick(answers) ?? answers[0]
  if (answer === undefined) return
  scene.world.note(`an inbox is made, ${JSON.stringify(answer)}`)
  const made = yield* scene.world.inApi(Effect.flatMap(Inboxes, (inboxes) => inboxes.create(club.id, answer)))
  if (made === undefined || Exit.isFailure(made)) return
  const { id: inbox_id } = made.value
  const path = pathOf(inboxUrl(inbox_id))
  checks.inboxes.paths.set(inbox_id, path)
  const until = scene.world.now() + Duration.toMillis(inboxLife)
  scene.inboxes.push({ club: club.id, id: inbox_id, path, until })
  const id = yield* createAt(scene, club, { inbox_id }, types)
  if (id === undefined) return
  yield* scene.world.inApi(Effect.flatMap(Deliveries, (deliveries) => deliveries.sendTest(club, id)))
})

/** Moves endpoints of inboxes, whose hour is over, to healthy receivers. */
export const leaveInboxes = Effect.fnUntraced(function*(scene: Scene) {
  const left = () => scene.open().find(({ url }) => url.startsWith(inboxScheme))
  for (let endpoint = left(); endpoint !== undefined; endpoint = left()) {
    const { club, id, url } = endpoint
    const found = scene.clubs.find((one) => one.id === club) ?? scene.club()
    const elsewhere = { url: `https://1.1.1.1${pathOf(url)}` }
    yield* scene.world.inApi(Effect.flatMap(Endpoints, (endpoints) =>
      endpoints.patch(found.id, EndpointId.make(id), elsewhere)))
  }
})

import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { OrganizationId } from "../../../src/identity/ids/ClubId.ts"
import { Links } from "../../../src/identity/tokens/Links.ts"

const club = OrganizationId.make("6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10")
const token = Redacted.make("a-b_c")

const linksWith = (variables: Record<string, string>) => {
  const environment = ConfigProvider
    .layer(ConfigProvider.fromUnknown({ PUBLIC_URL: "https://turma.example", ...variables }))
  return Effect.map(
    Links.use((links) => Effect.succeed(links)).pipe(Effect.provide(Layer.provide(Links.layer, environment))),
    (links) => ({
      place: links.classroom(club, "support/1"),
      stop: links.unsubscribe(club, token),
      oneClick: links.oneClick(token)
    })
  )
}

describe("A link in a mail about notifications or support", () => {
  it.effect("leads to our own classroom, and for mail programs to the API", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* linksWith({}), {
        place: `https://turma.example/classroom/${club}/support/1`,
        stop: `https://turma.example/classroom/${club}/unsubscribe?token=a-b_c`,
        oneClick: "https://turma.example/v1/notifications/unsubscribe?token=a-b_c"
      })
    }))

  it.effect("leads to the classroom elsewhere if there is one, and for mail programs still to the API", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* linksWith({ CLASSROOM_URL: "https://class.example/app" }), {
        place: `https://class.example/app/support/1?club=${club}`,
        stop: `https://class.example/app/unsubscribe?club=${club}&token=a-b_c`,
        oneClick: "https://turma.example/v1/notifications/unsubscribe?token=a-b_c"
      })
    }))
})

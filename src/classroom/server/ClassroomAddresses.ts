import { Effect } from "effect"
import { exchangeRoutes } from "../../browser/server/Exchange.ts"
import { assetRoute } from "../../browser/server/PageAssets.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"

/** The addresses of a club's classroom, itself and everything below it. */
export const clubPaths = "/classroom/:club/*"

/** False if clubs have an app elsewhere (`CLASSROOM_URL`): then nothing of the classroom is served here. */
export const isServed = Effect.map(PublicUrls, ({ ownPages }) => ownPages.students)
  .pipe(Effect.provide(PublicUrls.layer))

/** Every address of the classroom, to tell a wrong method from an unknown route. */
export const classroomAddresses = Effect.map(isServed, (served) =>
  served
    ? [
      { method: "GET", path: clubPaths } as const,
      assetRoute("classroom"),
      ...exchangeRoutes("classroom")
    ]
    : [])

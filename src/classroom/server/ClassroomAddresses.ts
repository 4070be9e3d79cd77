import { Effect } from "effect"
import { exchangeRoutes } from "../../browser/server/Exchange.ts"
import { assetRoute } from "../../browser/server/PageAssets.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"

/** The addresses of a club's classroom, itself and everything below it. */
export const clubPaths = "/classroom/:club/*"

/** The address of the sheet with a club's colours. */
export const sheetPath = (club: string): `/${string}` => `/classroom/${club}/face.css`

/** The address of the manifest of an installed classroom. */
export const manifestPath = (club: string): `/${string}` => `/classroom/${club}/manifest.webmanifest`

/** False if clubs have an app elsewhere (`CLASSROOM_URL`): then nothing of the classroom is served here. */
export const isServed = Effect.map(PublicUrls, ({ ownPages }) => ownPages.students)
  .pipe(Effect.provide(PublicUrls.layer))

/** Every address of the classroom, to tell a wrong method from an unknown route. */
export const classroomAddresses = Effect.map(isServed, (served) =>
  served
    ? [
      { method: "GET", path: clubPaths } as const,
      { method: "GET", path: sheetPath(":club") } as const,
      { method: "GET", path: manifestPath(":club") } as const,
      assetRoute("classroom"),
      ...exchangeRoutes("classroom")
    ]
    : [])

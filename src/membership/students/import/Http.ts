import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { asMember } from "../../../identity/people/asMember.ts"
import { CurrentMember } from "../../../identity/people/Identity.ts"
import { versioned } from "../../../platform/http/Contract.ts"
import { UnsupportedMediaType } from "../../../platform/http/errors.ts"
import { mediaTypeOf } from "../../../platform/http/MediaType.ts"
import { data } from "../../../platform/http/Page.ts"
import { group } from "../../../platform/http/server/group.ts"
import { either } from "../../../platform/text/either.ts"
import { StudentImportsApi } from "./Api.ts"
import { rowsOfJson } from "./JsonRows.ts"
import { StudentImports } from "./StudentImports.ts"

const json = "application/json"

/** The types of a CSV. Its bytes say the encoding and the delimiter of a CSV, whatever its type says. */
const csvTypes: ReadonlySet<string> = new Set(["text/csv", "application/vnd.ms-excel", "text/tab-separated-values"])

const taken = either([json, ...csvTypes])

const refusedType = () =>
  new UnsupportedMediaType({ error: { message: `Send the rows as JSON or CSV, with Content-Type: ${taken}` } })

/** The rows of a body of either media type, read in slices: 4 MiB at once would block the event loop. */
const rowsIn = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
  const type = mediaTypeOf(request.headers["content-type"] ?? json)
  if (type !== json && !csvTypes.has(type)) return yield* refusedType()
  const bytes = new Uint8Array(yield* Effect.orDie(request.arrayBuffer))
  if (type === json) return { rows: yield* rowsOfJson(bytes), unknown_columns: [] }
  const { rowsOfCsv } = yield* Effect.promise(() => import("./Csv.ts"))
  return yield* rowsOfCsv(bytes)
})

/** Answers the routes of `StudentImportsApi`. */
export const StudentImportsHttp = group(
  versioned(StudentImportsApi),
  "studentImports",
  Effect.fn(function*(handlers) {
    const imports = yield* StudentImports
    return handlers.handleRaw(
      "create",
      ({ query, request }) =>
        CurrentMember.use(({ club, user }) =>
          rowsIn(request).pipe(
            Effect.flatMap(({ rows, unknown_columns }) =>
              imports.start(club.id, user.id, rows, { dry_run: query.dry_run === "true", unknown_columns })
            ),
            Effect.map(data)
          )
        )
    ).handleAll({
      list: asMember(({ query }, { club }) => imports.list(club.id, query)),
      get: asMember(({ params }, { club }) => Effect.map(imports.get(club.id, params.importId), data)),
      errors: asMember(({ params, query }, { club }) => imports.errors(club.id, params.importId, query))
    })
  })
)

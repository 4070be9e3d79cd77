import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../Api.ts"
import { CurrentMember } from "../../auth/Identity.ts"
import { data } from "../../http/Page.ts"
import { StudentImports } from "./StudentImports.ts"

/** Answers the routes of `StudentImportsApi`. */
export const StudentImportsHttp = HttpApiBuilder.group(
  Api,
  "studentImports",
  Effect.fn(function*(handlers) {
    const imports = yield* StudentImports
    return handlers.handleAll({
      create: ({ payload, query }) =>
        CurrentMember.use(({ club, user }) =>
          Effect.map(imports.start(club.id, user.id, payload, { dry_run: query.dry_run === "true" }), data)
        ),
      list: ({ query }) => CurrentMember.use(({ club }) => imports.list(club.id, query)),
      get: ({ params }) => CurrentMember.use(({ club }) => Effect.map(imports.get(club.id, params.importId), data)),
      errors: ({ params, query }) => CurrentMember.use(({ club }) => imports.errors(club.id, params.importId, query))
    })
  })
)

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { ClubMember, clubPath } from "../../../../src/identity/authentication/Authentication.ts"
import { ClubWrites } from "../../../../src/identity/limits/RateLimit.ts"
import { Data } from "../../../../src/platform/http/Page.ts"
import { text } from "../../../../src/platform/http/Text.ts"

/** What a club says of itself. */
export const Motto = Schema.Struct({ text: text(1, 80) })

/** A feature as somebody would add one, to show that a folder and a line are enough. */
export class MottosApi extends HttpApiGroup.make("mottos")
  .add(
    HttpApiEndpoint.get("get", "/motto", { params: clubPath, success: Data(Motto) }),
    HttpApiEndpoint.put("put", "/motto", { params: clubPath, payload: Motto, success: Data(Motto) })
  )
  .prefix("/clubs/:clubId")
  .middleware(ClubWrites)
  .middleware(ClubMember)
{}

import type { HttpServerResponse } from "effect/http"
import { compressedOnce } from "./Compression.ts"
import { withTag } from "./EntityTag.ts"

/**
 * An answer that is the same for everybody, such as a page, a script or a document. It has its `ETag`, and is
 * compressed as well as possible, once for each coding. Make it once and answer with it every time. Browsers keep it
 * and ask each time whether it still holds, unless `cacheControl` says otherwise.
 */
export const staticAnswer = (
  response: HttpServerResponse.HttpServerResponse,
  cacheControl = "no-cache"
): HttpServerResponse.HttpServerResponse => {
  compressedOnce(response.body)
  return withTag(response, cacheControl)
}

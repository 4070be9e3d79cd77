import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { staticAnswer } from "../http/server/StaticAnswer.ts"

/** A file that pages load: of one content for ever, since its address names the content. */
export interface Asset {
  readonly path: `/assets/${string}`
  readonly contentType: string
  readonly body: string | Uint8Array
}

/** An asset: `/assets/<name>.<hash>.<extension>`. */
export const asset = (name: string, extension: string, contentType: string, body: string | Uint8Array): Asset => {
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 12)
  return { path: `/assets/${name}.${hash}.${extension}`, contentType, body }
}

const forEver = "public, max-age=31536000, immutable"

const headers = {
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff"
}

const answerOf = ({ body, contentType }: Asset) =>
  staticAnswer(
    typeof body === "string"
      ? HttpServerResponse.text(body, { contentType, headers })
      : HttpServerResponse.uint8Array(body, { contentType, headers }),
    forEver
  )

/** Where these assets are answered. */
export const assetRoutes = (assets: ReadonlyArray<Asset>) =>
  assets.map(({ path }) => ({ method: "GET", path } as const))

/** Answers these assets. */
export const assetsLayer = (assets: ReadonlyArray<Asset>) =>
  HttpRouter.use((router) =>
    Effect.forEach(assets, (each) => router.add("GET", each.path, Effect.succeed(answerOf(each))), { discard: true })
  )

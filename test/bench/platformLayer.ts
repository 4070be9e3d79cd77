import * as NodeServices from "@effect/platform-node/NodeServices"
import { Layer, Logger } from "effect"
import { SecureRandom } from "effect/crypto"
import { FetchHttpClient } from "effect/http"
import { BundleLayer } from "./bundleLayer.ts"

/** The platform that every benchmark runs on. */
export const PlatformLayer = Layer.mergeAll(
  BundleLayer,
  NodeServices.layer,
  SecureRandom.layerWebCrypto,
  FetchHttpClient.layer,
  Logger.layer([])
)

import { eduzz } from "./Eduzz.ts"
import { generic } from "./Generic.ts"
import { hotmart } from "./Hotmart.ts"
import { hubla } from "./Hubla.ts"
import { kiwify } from "./Kiwify.ts"
import type { Platform, PlatformKey } from "./Platform.ts"
import { stripe } from "./Stripe.ts"

const byKey: Readonly<Record<PlatformKey, Platform>> = {
  hotmart,
  kiwify,
  stripe,
  hubla,
  eduzz,
  generic
}

/** All platforms, in the order in which they are listed. */
export const platforms: ReadonlyArray<Platform> = Object.values(byKey)

/** The platform of a key. */
export const platformOf = (key: PlatformKey): Platform => byKey[key]

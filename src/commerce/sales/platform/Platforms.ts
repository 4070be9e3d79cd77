import { Eduzz } from "./Eduzz.ts"
import { Generic } from "./Generic.ts"
import { Hotmart } from "./Hotmart.ts"
import { Hubla } from "./Hubla.ts"
import { Kiwify } from "./Kiwify.ts"
import type { Platform, PlatformKey } from "./Platform.ts"
import { Stripe } from "./Stripe.ts"

const byKey: Readonly<Record<PlatformKey, Platform>> = {
  hotmart: Hotmart,
  kiwify: Kiwify,
  stripe: Stripe,
  hubla: Hubla,
  eduzz: Eduzz,
  generic: Generic
}

/** All platforms, as they are shown. */
export const Platforms: ReadonlyArray<Platform> = Object.values(byKey)

/** The platform of a key. */
export const platformOf = (key: PlatformKey): Platform => byKey[key]

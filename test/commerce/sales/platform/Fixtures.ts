import { platformOf } from "../../../../src/commerce/sales/platform/Platforms.ts"
import { eduzz } from "./EduzzFixtures.ts"
import { generic } from "./GenericFixtures.ts"
import { hotmart } from "./HotmartFixtures.ts"
import { hubla } from "./HublaFixtures.ts"
import { kiwify } from "./KiwifyFixtures.ts"
import { stripe } from "./StripeFixtures.ts"

/** The made-up bodies of each platform. */
export const fixtures = [
  { platform: platformOf("hotmart"), bodies: hotmart },
  { platform: platformOf("kiwify"), bodies: kiwify },
  { platform: platformOf("stripe"), bodies: stripe },
  { platform: platformOf("hubla"), bodies: hubla },
  { platform: platformOf("eduzz"), bodies: eduzz },
  { platform: platformOf("generic"), bodies: generic }
] as const

import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { allOf } from "../../../browser/client/Lists.ts"
import { changed, changedHere, type Read, useRead } from "../../../browser/client/Reads.ts"
import type { Tab } from "../../../browser/parts/Tabs.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage } from "../../club/View.ts"
import { salesWords } from "./words.ts"

/** A sales platform, and how to connect it. */
export type Platform = Schemas["SalesPlatform"]

/** The address that a platform writes to. */
export type Address = Schemas["InboundWebhook"]

/** A product that is sold and that no mapping takes. */
export type Unmapped = Schemas["UnmappedProduct"]

/** The accesses that a product gives. */
export type Mapping = Schemas["ProductMapping"]

/** The pages about sales. */
export const salesTabs = (club: Membership): ReadonlyArray<Tab> => [
  { label: said(salesWords).events, to: clubPage(club, "sales") },
  { label: said(salesWords).products, to: clubPage(club, "sales", "products") },
  { label: said(salesWords).addresses, to: clubPage(club, "sales", "platforms") }
]

/** The platforms there are. */
export const usePlatforms = ({ organization_id: clubId }: Membership): Read<ReadonlyArray<Platform>> =>
  useRead(`${clubId}/sales/known-platforms`, (signal) => allOf(turma.productMappings.platforms({ clubId }, { signal })))

/** The addresses of the club. */
export const useAddresses = ({ organization_id: clubId }: Membership): Read<ReadonlyArray<Address>> =>
  useRead(
    `${clubId}/sales/addresses`,
    (signal) => allOf(turma.inboundWebhooks.list({ clubId, limit: 100 }, { signal }))
  )

/** The products that no mapping takes. */
export const useUnmapped = ({ organization_id: clubId }: Membership): Read<ReadonlyArray<Unmapped>> =>
  useRead(
    `${clubId}/sales/unmapped`,
    (signal) => allOf(turma.productMappings.unmapped({ clubId, limit: 100 }, { signal }))
  )

/** The mappings of the club. */
export const useMappings = ({ organization_id: clubId }: Membership): Read<ReadonlyArray<Mapping>> =>
  useRead(
    `${clubId}/sales/mappings`,
    (signal) => allOf(turma.productMappings.list({ clubId, limit: 100 }, { signal }))
  )

/** Reads the data of sales anew after a change. */
export const salesChanged = ({ organization_id }: Membership): void => changed(`${organization_id}/sales/`)

/** A sale has arrived. Reads the figures about sales anew, but no list: the rows on the page stay where they are. */
export const salesCameIn = ({ organization_id }: Membership): void =>
  changedHere(...["addresses", "failed", "unmapped"].map((name) => `${organization_id}/sales/${name}`))

/** The platform that was chosen: never another one in its place. */
export const chosenKey = (platforms: ReadonlyArray<Platform>, key: string): Platform["key"] => {
  const chosen = platforms.find((platform) => platform.key === key)
  if (chosen === undefined) throw new Error(said(salesWords).choosePlatform)
  return chosen.key
}

/** A platform's own name. */
export const platformName = (platforms: ReadonlyArray<Platform> | undefined, key: string): string =>
  platforms?.find((platform) => platform.key === key)?.name ?? key

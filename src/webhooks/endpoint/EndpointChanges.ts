import { isDeepStrictEqual } from "node:util"
import type { EventType } from "../../events/EventType.ts"
import type { PatchEndpoint } from "./Endpoint.ts"
import type { EndpointSettings, LockedEndpoint } from "./EndpointsRepo.ts"
import { namedLimits } from "./TrafficLimits.ts"

const sameTypes = (one: ReadonlyArray<string>, other: ReadonlyArray<string>) =>
  one.length === other.length && one.every((type, index) => type === other[index])

/** The valid parts of a patch. */
interface Judged {
  readonly url: string | undefined
  readonly event_types: ReadonlyArray<EventType> | undefined
}

/** The changes of an endpoint by a patch. */
export const changesOf = (
  before: LockedEndpoint,
  { description, ...patch }: typeof PatchEndpoint.Type,
  judged: Judged
) => {
  const settings: EndpointSettings = {
    url: judged.url ?? before.url,
    event_types: judged.event_types ?? before.event_types,
    notices: patch.notices ?? before.notices,
    signing: patch.signing ?? before.signing,
    description: description === undefined ? before.description : description ?? "",
    filter: patch.filter === undefined ? before.filter : patch.filter
  }
  const isElsewhere = settings.url !== before.url
  const isOther = isElsewhere || settings.signing !== before.signing ||
    !sameTypes(settings.event_types, before.event_types)
  const limits = namedLimits(patch)
  return {
    settings,
    /** The limits in the patch. Undefined without any. */
    limits: Object.keys(limits).length === 0 ? undefined : limits,
    /** True if any setting is different. */
    any: isOther || settings.description !== before.description || settings.notices !== before.notices ||
      !isDeepStrictEqual(settings.filter, before.filter),
    /** True if a worker should read the endpoint again. */
    wakes: isOther,
    /** True if it has another address. */
    isElsewhere
  }
}

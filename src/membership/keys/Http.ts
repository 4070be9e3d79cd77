import { Effect } from "effect"
import { CurrentMember } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { DevicesApi, KeysApi, OwnKeyApi } from "./Api.ts"
import { ClubKeys } from "./ClubKeys.ts"
import { DeviceLogins } from "./DeviceLogins.ts"

/** The keys of a club, for its administration. */
export const KeysHttp = group(
  versioned(KeysApi),
  "keys",
  Effect.fn(function*(handlers) {
    const keys = yield* ClubKeys
    const devices = yield* DeviceLogins
    return handlers.handleAll({
      list: ({ query }) => CurrentMember.use(({ club }) => keys.list(club.id, query)),
      create: ({ payload }) => CurrentMember.use((me) => Effect.map(keys.create(me, payload), data)),
      get: ({ params }) => CurrentMember.use(({ club }) => Effect.map(keys.get(club.id, params.keyId), data)),
      update: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(keys.patch(club.id, params.keyId, payload), data)),
      rotate: ({ params }) => CurrentMember.use(({ club }) => Effect.map(keys.rotate(club.id, params.keyId), data)),
      adopt: ({ params }) => CurrentMember.use((me) => Effect.map(keys.adopt(me, params.keyId), data)),
      approveDevice: ({ payload }) => CurrentMember.use((me) => Effect.map(devices.approve(me, payload), data)),
      revoke: ({ params }) => CurrentMember.use(({ club }) => keys.revoke(club.id, params.keyId))
    })
  })
)

/** What a key is, for whoever holds it. */
export const OwnKeyHttp = group(
  versioned(OwnKeyApi),
  "ownKey",
  Effect.fn(function*(handlers) {
    const keys = yield* ClubKeys
    return handlers.handleAll({
      get: () => CurrentMember.use((me) => Effect.map(keys.own(me), data)),
      revoke: () => CurrentMember.use((me) => keys.revokeOwn(me))
    })
  })
)

/** Terminals that ask for a key. */
export const DevicesHttp = group(
  versioned(DevicesApi),
  "devices",
  Effect.fn(function*(handlers) {
    const devices = yield* DeviceLogins
    return handlers.handleAll({
      begin: ({ payload }) => Effect.map(devices.begin(payload.name), data),
      redeem: ({ payload }) => Effect.map(devices.redeem(payload.device_code), data)
    })
  })
)

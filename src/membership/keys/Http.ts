import { Effect } from "effect"
import { asMember } from "../../identity/people/asMember.ts"
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
      list: asMember(({ query }, { club }) => keys.list(club.id, query)),
      create: asMember(({ payload }, me) => Effect.map(keys.create(me, payload), data)),
      get: asMember(({ params }, { club }) => Effect.map(keys.get(club.id, params.keyId), data)),
      update: asMember(({ params, payload }, { club }) => Effect.map(keys.patch(club.id, params.keyId, payload), data)),
      rotate: asMember(({ params }, { club }) => Effect.map(keys.rotate(club.id, params.keyId), data)),
      adopt: asMember(({ params }, me) => Effect.map(keys.adopt(me, params.keyId), data)),
      approveDevice: asMember(({ payload }, me) => Effect.map(devices.approve(me, payload), data)),
      revoke: asMember(({ params }, { club }) => keys.revoke(club.id, params.keyId))
    })
  })
)

/** A key's view of itself. */
export const OwnKeyHttp = group(
  versioned(OwnKeyApi),
  "ownKey",
  Effect.fn(function*(handlers) {
    const keys = yield* ClubKeys
    return handlers.handleAll({
      get: asMember((_, me) => Effect.map(keys.own(me), data)),
      revoke: asMember((_, me) => keys.revokeOwn(me))
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

import { Array as Arr, Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { text } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"

/** UUIDv7. */
export const CommunityId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("CommunityId"))
export type CommunityId = typeof CommunityId.Type

/** UUIDv7. */
export const SpaceId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("SpaceId"))
export type SpaceId = typeof SpaceId.Type

/** Who may enter: every student of the club, or those with a delivery that contains the community. */
export const Access = Schema.Literals(["community", "delivery"])

/** Who sees that there is this space. */
export const Visibility = Schema.Literals(["members", "public", "hidden"])

/** Who may post in the space. */
export const Posting = Schema.Literals(["members", "staff"])

/** A space as staff sees it (contract, Space). `position` orders the spaces that are not archived, from 1, with gaps. */
export class Space extends Schema.Class<Space>("Space")({
  id: SpaceId,
  name: Schema.String,
  access: Access,
  visibility: Visibility,
  posting: Posting,
  position: Schema.Int,
  archived: Schema.Boolean,
  created_at: Schema.DateTimeUtcFromDate,
  description: Schema.String
}) {}

/**
 * A club's one community (contract, Community). `spaces` begins with all that are not archived, in their order; after
 * them come at most 100 archived ones, those archived last. It is published exactly if `published_at` is not null, in
 * the past or in the future.
 */
export class Community extends Schema.Class<Community>("Community")({
  id: CommunityId,
  name: Schema.String,
  description: Schema.String,
  spaces: Schema.Array(Space),
  created_at: Schema.DateTimeUtcFromDate,
  published_at: Schema.NullOr(Schema.DateTimeUtcFromDate)
}) {}

const Name = text(1, 120)
const Description = text(0, 2000)

/** Absent is unchanged; `published_at` null unpublishes (contract, Endpoints 2). */
export const CommunityPatch = Schema.Struct({
  name: Schema.optionalKey(Name),
  description: Schema.optionalKey(Description),
  published_at: Schema.optionalKey(Schema.NullOr(Timestamp))
})

/** Open to the club's members for reading and posting unless said otherwise. */
export const CreateSpace = Schema.Struct({
  name: Name,
  description: Description.pipe(Schema.withDecodingDefaultKey(Effect.succeed(""))),
  access: Access.pipe(Schema.withDecodingDefaultKey(Effect.succeed("community" as const))),
  visibility: Visibility.pipe(Schema.withDecodingDefaultKey(Effect.succeed("members" as const))),
  posting: Posting.pipe(Schema.withDecodingDefaultKey(Effect.succeed("members" as const)))
})

/** Absent is unchanged. */
export const SpacePatch = Schema.Struct({
  name: Schema.optionalKey(Name),
  description: Schema.optionalKey(Description),
  access: Schema.optionalKey(Access),
  visibility: Schema.optionalKey(Visibility),
  posting: Schema.optionalKey(Posting)
})

/** How many spaces that are not archived a community has at most. */
export const spaceLimit = 100

/** The community has `spaceLimit` spaces. Archived ones do not count. */
export class SpaceLimitReached extends ApiError<SpaceLimitReached>()("SpaceLimitReached", {
  status: 409,
  code: "space_limit_reached",
  message: `A community has at most ${spaceLimit} spaces: archive one first`
}) {}

const firstSpaces = {
  en: [["Announcements", "staff"], ["General", "members"]],
  "pt-BR": [["Avisos", "staff"], ["Geral", "members"]]
} as const

/** The spaces that a new community starts with, in their order. */
export const defaultSpaces = (locale: string) =>
  Arr.map(firstSpaces[locale === "pt-BR" ? locale : "en"], ([name, posting]): typeof CreateSpace.Type => ({
    name,
    description: "",
    access: "community",
    visibility: "members",
    posting
  }))

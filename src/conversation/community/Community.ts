import { Array as Arr, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { text } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant, InstantOrNull } from "../../platform/schema/Instant.ts"

/** UUIDv7. */
export const CommunityId = brandedId("CommunityId")
export type CommunityId = typeof CommunityId.Type

/** UUIDv7. */
export const SpaceId = brandedId("SpaceId")
export type SpaceId = typeof SpaceId.Type

/** The students who may enter: all of the club, or those with a delivery that contains the community. */
const Access = Schema.Literals(["community", "delivery"])

/** The people who see that this space exists. */
const Visibility = Schema.Literals(["members", "public", "hidden"])

/** The people who may post in the space. */
export const Posting = Schema.Literals(["members", "staff"])

const about = {
  community: "The community's name",
  communityDescription: "The text that students read about the community; may be empty",
  space: "The space's name",
  spaceDescription: "The space's purpose; may be empty",
  access:
    "Which students may enter: `community` all of the club, `delivery` those with a delivery that contains the community",
  visibility:
    "`hidden` keeps the space from all students; `members` and `public` show it to those who may enter, and differ as a mark alone",
  posting: "`members`: students and staff may post. `staff`: only the staff may post. Students comment in both"
}

const words = {
  community: "Flauta Doce",
  communityDescription: "Um lugar para tocar juntos.",
  space: "Geral",
  spaceDescription: "Apresente-se e conte o que está tocando."
}

/** A space as staff sees it (contract, Space). */
export class Space extends Schema.Class<Space>("Space")(Schema.Struct({
  id: SpaceId.pipe(field("Names the space on routes")),
  name: Schema.String.pipe(field(about.space, words.space)),
  access: Access.pipe(field(about.access)),
  visibility: Visibility.pipe(field(about.visibility)),
  posting: Posting.pipe(field(about.posting)),
  position: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
    .pipe(field("Orders the spaces that are not archived, the lowest first; there may be gaps", 1)),
  archived: Schema.Boolean
    .pipe(field(
      "True if it is archived: students see nothing of it, and nobody posts in it. This cannot be undone",
      false
    )),
  created_at: Instant.pipe(field("When the space was added")),
  description: Schema.String.pipe(field(about.spaceDescription, words.spaceDescription))
}).annotate({ description: "A part of the community, in which people post" })) {}

/** A club's one community (contract, Community). */
export class Community extends Schema.Class<Community>("Community")(Schema.Struct({
  id: CommunityId.pipe(field("Names the community as an item of deliveries")),
  name: Schema.String.pipe(field(about.community, words.community)),
  description: Schema.String.pipe(field(about.communityDescription, words.communityDescription)),
  spaces: Schema.Array(Space)
    .pipe(field("All spaces that are not archived, in their order, and after them, for the staff, at most 100 archived ones, those archived last first")),
  created_at: Instant.pipe(field("When the community was created, with the club")),
  published_at: InstantOrNull
    .pipe(field("When it was published; a time in the future publishes it at once too. Null: students see nothing of it"))
}).annotate({ description: "The one community of a club" })) {}

const Name = text(1, 120)
const Description = text(0, 2000)

/** Absent is unchanged (contract, Endpoints 2). */
export const CommunityPatch = Schema.Struct({
  name: Schema.optionalKey(Name).pipe(field(about.community, words.community)),
  description: Schema.optionalKey(Description).pipe(field(about.communityDescription, words.communityDescription)),
  published_at: Schema.optionalKey(Schema.NullOr(Timestamp))
    .pipe(field("Any time publishes the community at once, even one in the future. Null hides it from every student"))
})

/** Open to the club's members for reading and posting unless said otherwise. */
export const CreateSpace = Schema.Struct({
  name: Name.pipe(field(about.space, words.space)),
  description: Schema.optionalKey(Description)
    .pipe(field(`${about.spaceDescription}; empty unless it is sent`, words.spaceDescription)),
  access: Schema.optionalKey(Access).pipe(field(`${about.access}. \`community\` unless it is sent`)),
  visibility: Schema.optionalKey(Visibility).pipe(field(`${about.visibility}. \`members\` unless it is sent`)),
  posting: Schema.optionalKey(Posting).pipe(field(`${about.posting}. \`members\` unless it is sent`))
})

/** Absent is unchanged. */
export const SpacePatch = Schema.Struct({
  name: Schema.optionalKey(Name).pipe(field(about.space, words.space)),
  description: Schema.optionalKey(Description).pipe(field(about.spaceDescription, words.spaceDescription)),
  access: Schema.optionalKey(Access).pipe(field(about.access)),
  visibility: Schema.optionalKey(Visibility).pipe(field(about.visibility)),
  posting: Schema.optionalKey(Posting).pipe(field(about.posting))
})

/** The most spaces of a community, without archived ones. */
export const spaceLimit = 100

/** The community has `spaceLimit` spaces. Archived ones do not count. */
export class SpaceLimitReached extends ApiError<SpaceLimitReached>()("SpaceLimitReached", {
  status: 409,
  code: "space_limit_reached",
  message: {
    en: `A community has at most ${spaceLimit} spaces: archive one first`,
    "pt-BR": "A comunidade chegou ao máximo de espaços: arquive um antes."
  }
}) {}

const firstSpaces = {
  en: [["Announcements", "staff"], ["General", "members"]],
  "pt-BR": [["Avisos", "staff"], ["Geral", "members"]]
} as const

/** The spaces that a new community starts with, in their order. */
export const defaultSpaces = (locale: string) =>
  Arr.map(firstSpaces[locale === "pt-BR" ? locale : "en"], ([name, posting]): Required<typeof CreateSpace.Type> => ({
    name,
    description: "",
    access: "community",
    visibility: "members",
    posting
  }))

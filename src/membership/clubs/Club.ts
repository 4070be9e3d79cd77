import { Schema } from "effect"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { Locale } from "../../platform/http/Locale.ts"
import { text } from "../../platform/http/Text.ts"

const ClubName = text(1, 120)

const slugShape = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** Up to 60 lower-case letters, digits and single hyphens; no two clubs have the same. */
const Slug = Schema.String.check(
  Schema.isMaxLength(60),
  Schema.isPattern(slugShape, { expected: "lower-case letters, digits and single hyphens" })
)

/** Current names of zones that `Intl` lists only under a former name, such as Asia/Calcutta. */
const renamedZones = [
  "Africa/Asmara",
  "America/Argentina/Buenos_Aires",
  "America/Argentina/Catamarca",
  "America/Argentina/Cordoba",
  "America/Argentina/Jujuy",
  "America/Argentina/Mendoza",
  "America/Atikokan",
  "America/Indiana/Indianapolis",
  "America/Kentucky/Louisville",
  "America/Nuuk",
  "Asia/Ho_Chi_Minh",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Asia/Yangon",
  "Atlantic/Faroe",
  "Europe/Kyiv",
  "Pacific/Chuuk",
  "Pacific/Kanton",
  "Pacific/Pohnpei"
]

/**
 * Every name of a time zone that a club may have. `Intl` would take more than it lists: abbreviations and offsets, which
 * PostgreSQL reads differently (IST, +03:00) or not at all (AET).
 */
export const timeZones: ReadonlySet<string> = new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), ...renamedZones])

/** Where the club's day starts. */
const TimeZone = Schema.String.check(
  Schema.isMaxLength(64),
  Schema.makeFilter((zone: string) => timeZones.has(zone), { expected: "an IANA time zone such as America/Sao_Paulo" })
)

/** A club as its members see it. */
export class Club extends Schema.Class<Club>("Club")({
  organization_id: OrganizationId,
  name: Schema.String,
  slug: Schema.String,
  time_zone: Schema.String,
  /** Of the club's mails and defaults. */
  locale: Locale,
  /** Whether anyone may sign up as a student; a closed club takes a registration code. */
  sign_up_open: Schema.Boolean,
  created_at: Schema.DateTimeUtcFromDate
}) {}

/** Without a slug one is made from the name; time zone UTC, locale en and open sign-up unless said otherwise. */
export const CreateClub = Schema.Struct({
  name: ClubName,
  slug: Schema.optionalKey(Slug),
  time_zone: Schema.optionalKey(TimeZone),
  locale: Schema.optionalKey(Locale),
  sign_up_open: Schema.optionalKey(Schema.Boolean)
})

/** Absent fields stay unchanged. */
export const ClubPatch = Schema.Struct({ ...CreateClub.fields, name: Schema.optionalKey(ClubName) })

/** `Clube de Violão!` becomes `clube-de-violao`; a name without any such letter becomes `club`. */
export const slugOf = (name: string): string => {
  const slug = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^a-z0-9]+/g, "-")
    .slice(0, 48).replace(/^-+|-+$/g, "")
  return slug === "" ? "club" : slug
}

/** The account has founded as many clubs as it may. */
export class ClubLimitReached extends ApiError<ClubLimitReached>()("ClubLimitReached", {
  status: 409,
  code: "club_limit_reached",
  message: "This account has founded as many clubs as it may: use one of them"
}) {}

/** The chosen slug is taken. */
export class SlugTaken extends ApiError<SlugTaken>()("SlugTaken", {
  status: 409,
  code: "slug_taken",
  message: "slug must be one that no other club has"
}) {}

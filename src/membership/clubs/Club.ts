import { Schema } from "effect"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { Locale } from "../../platform/http/Locale.ts"
import { text } from "../../platform/http/Text.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { faceColumns, faceFields, FacePatch } from "./Face.ts"

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

/** The zone in which the club's day starts. */
const TimeZone = Schema.String.check(
  Schema.isMaxLength(64),
  Schema.makeFilter((zone: string) => timeZones.has(zone), { expected: "an IANA time zone such as America/Sao_Paulo" })
)

const zoneIs =
  "Where the club's day starts and ends, as an IANA name: limits and rankings that count days count them there"
const localeIs = "The language of the club's mails, and of what it starts with"
const openIs = "True if anyone may sign up as a student. A closed club asks for the code of a registration link"

const clubFields = {
  organization_id: OrganizationId.pipe(field("The club's public id: what stands for `clubId` in paths")),
  name: Schema.String.pipe(field("The club's name", "Flauta Fácil")),
  slug: Schema.String.pipe(field("A short name for addresses that no other club has", "flauta-facil")),
  time_zone: Schema.String.pipe(field(zoneIs, "America/Sao_Paulo")),
  locale: Locale.pipe(field(localeIs)),
  sign_up_open: Schema.Boolean.pipe(field(openIs)),
  created_at: Instant.pipe(field("When it was founded"))
}

/** A club as its members see it. */
export class Club extends Schema.Class<
  Club
>("Club")(Schema.Struct({ ...clubFields, ...faceFields }).annotate({ description: "A club as its members see it" })) {}

/** A club as it is stored; `face` is null before it has one of its own. */
export const ClubRow = Schema.Struct({ ...clubFields, face: Schema.NullOr(Schema.Struct(faceColumns)) })
export type ClubRow = typeof ClubRow.Type

/** Without a slug, the name gives one. The defaults are time zone UTC, locale en and open sign-up. */
export const CreateClub = Schema.Struct({
  name: ClubName.pipe(field("The club's name, in 1 to 120 characters", "Flauta Fácil")),
  slug: Schema.optionalKey(Slug).pipe(field(
    "A short name for addresses that no other club has: up to 60 lower-case letters, digits and single hyphens. Derived from the name if absent",
    "flauta-facil"
  )),
  time_zone: Schema.optionalKey(TimeZone).pipe(field(`${zoneIs}. UTC unless said otherwise`, "America/Sao_Paulo")),
  locale: Schema.optionalKey(Locale).pipe(field(`${localeIs}. English unless said otherwise`)),
  sign_up_open: Schema.optionalKey(Schema.Boolean).pipe(field(`${openIs}. True unless said otherwise`))
})

/** Absent fields stay unchanged. */
export const ClubPatch = Schema.Struct({
  name: Schema.optionalKey(ClubName)
    .pipe(field("The club's name, in 1 to 120 characters; unchanged without it", "Flauta Fácil")),
  slug: Schema.optionalKey(Slug).pipe(field(
    "A short name for addresses that no other club has: up to 60 lower-case letters, digits and single hyphens; unchanged without it",
    "flauta-facil-sp"
  )),
  time_zone: Schema.optionalKey(TimeZone).pipe(field(`${zoneIs}; unchanged without it`, "America/Sao_Paulo")),
  locale: Schema.optionalKey(Locale).pipe(field(`${localeIs}; unchanged without it`)),
  sign_up_open: Schema.optionalKey(Schema.Boolean).pipe(field(`${openIs}; unchanged without it`)),
  ...FacePatch
})

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
  message: {
    en: "This account has founded as many clubs as it may: use one of them",
    "pt-BR": "Esta conta já criou todos os clubes que pode: use um deles."
  }
}) {}

/** Another club has the chosen slug. */
export class SlugTaken extends ApiError<SlugTaken>()("SlugTaken", {
  status: 409,
  code: "slug_taken",
  message: {
    en: "slug must be one that no other club has",
    "pt-BR": "Outro clube já usa este nome no endereço."
  }
}) {}

import { Schema } from "effect"

/** A UUID in its canonical form. */
export const Uuid = Schema.String.check(Schema.isUUID())

/** The argument of `Schema.brand`: one name, not a union of names. */
type OneName<Brand extends string> = Brand & Parameters<typeof Schema.brand<Brand>>[0]

/** The id of one kind of thing. Ids of two kinds are two types, so that no one passes for the other. */
export const brandedId = <Brand extends string>(brand: OneName<Brand>) => Uuid.pipe(Schema.brand<Brand>(brand))

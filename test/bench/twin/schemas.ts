export const string = { type: "string" } as const
export const boolean = { type: "boolean" } as const
export const integer = { type: "integer" } as const

export const object = <Properties extends Record<string, unknown>>(properties: Properties) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})

export const array = (items: object) => ({ type: "array", items })

/** `{ "data": … }`, for the compiled serialiser. */
export const data = (payload: object) => ({ 200: object({ data: payload }) })

export const healthAnswer = data(object({ status: string, version: string }))

export const meAnswer = data(object({
  id: string,
  name: string,
  email: string,
  verified: boolean,
  organizations: array(object({ organization_id: string, name: string, role: string, slug: string }))
}))

export const gamificationAnswer = data(object({
  enabled: boolean,
  ranking_visible: boolean,
  rules: array(object({ action: string, points: integer, daily_cap: { type: ["integer", "null"] } })),
  levels: array(object({ id: string, name: string, min_points: integer }))
}))

/** Does not check well-formed text, since JSON Schema cannot. */
export const ladderBody = object({
  levels: {
    type: "array",
    maxItems: 100,
    items: {
      type: "object",
      properties: {
        id: { type: "string", format: "uuid" },
        name: { type: "string", minLength: 1, maxLength: 40, pattern: "^[^\\u0000]*$" },
        min_points: { type: "integer", minimum: 0, maximum: 2_147_483_647 }
      },
      required: ["name", "min_points"],
      additionalProperties: false
    }
  }
})

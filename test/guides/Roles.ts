import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import {
  AllowedRoles,
  ClubMember,
  ClubMemberInPerson,
  ClubPerson
} from "../../src/identity/authentication/Authentication.ts"

interface Right {
  readonly subject: string
  readonly operation: string
  readonly isRead: boolean
  readonly roles: string
}

/** The roles that may call each operation of a club, by the code. */
const rights = (): ReadonlyArray<Right> => {
  const found: Array<Right> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const keys = new Set([...endpoint.middlewares].map(({ key }) => key))
      if (![ClubMember.key, ClubMemberInPerson.key, ClubPerson.key].some((key) => keys.has(key))) return
      const isRead = endpoint.method === "GET"
      const roles = Context.get(endpoint.annotations, AllowedRoles)
      found.push({
        subject: Context.getOrElse(group.annotations, OpenApi.Title, () => group.identifier),
        operation: `${group.identifier}.${endpoint.identifier}`,
        isRead,
        roles: roles?.join(", ") ?? (isRead ? "every member" : "every member but viewers")
      })
    }
  })
  return found
}

/** The usual roles, and the exceptions by operation. A dash stands for no operation. */
const cell = (some: ReadonlyArray<Right>): string => {
  const byRoles = Map.groupBy(some, ({ roles }) => roles)
  const [[usual, most] = ["–", []], ...others] = [...byRoles].toSorted(([, a], [, b]) => b.length - a.length)
  const exceptions = others.map(([roles, ones]) =>
    `${ones.map(({ operation }) => `\`${operation}\``).join(", ")}: ${roles}`
  )
  return [most.length === 0 ? "–" : usual, ...exceptions].join("; ")
}

/** The rows of the table in the guide to roles. */
export const roleRows = (): ReadonlyArray<string> =>
  [...Map.groupBy(rights(), ({ subject }) => subject)].map(([subject, some]) =>
    `| ${subject} | ${cell(some.filter(({ isRead }) => isRead))} | ${cell(some.filter(({ isRead }) => !isRead))} |`
  )

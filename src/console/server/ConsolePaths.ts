import { exchangeRoutes } from "../../browser/server/Exchange.ts"

/** The path of the console. */
export const consolePath = "/console"

/** Lets an operator in (POST) and out (DELETE). */
export const operatorPath = "/console/operator"

/** The page of operators. */
export const overviewPath = "/console/operator/overview"

/** Every address of the console, to tell a wrong method from an unknown route. */
export const consoleRoutes = [
  { method: "GET", path: consolePath },
  { method: "GET", path: `${consolePath}/*` },
  ...exchangeRoutes("console"),
  { method: "POST", path: operatorPath },
  { method: "DELETE", path: operatorPath }
] as const

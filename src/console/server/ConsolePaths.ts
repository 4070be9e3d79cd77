/** The path of the console. */
export const consolePath = "/console"

/** The path of its files. A file's content never changes, since its name has a hash of it. */
export const assetsPath = "/console/assets"

/** Below it the API answers, with the session of the cookie. */
export const apiPath = "/console/api"

/** Signs in with a password (POST) and out (DELETE). */
export const sessionPath = "/console/session"

/** Signs in with a mailed code and the address that it was mailed to. */
export const codePath = "/console/session/code"

/** Lets an operator in (POST) and out (DELETE). */
export const operatorPath = "/console/operator"

/** The page of operators. */
export const overviewPath = "/console/operator/overview"

/** Every address of the console, to tell a wrong method from an unknown route. */
export const consoleRoutes = [
  { method: "GET", path: consolePath },
  { method: "GET", path: `${consolePath}/*` },
  { method: "POST", path: sessionPath },
  { method: "DELETE", path: sessionPath },
  { method: "POST", path: codePath },
  { method: "POST", path: operatorPath },
  { method: "DELETE", path: operatorPath }
] as const

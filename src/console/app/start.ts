import { start } from "../../browser/client/start.ts"

start(["/v1/me"])

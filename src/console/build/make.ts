// Makes the console's files, if they are not there: for who asks for them first.
import { makeConsole } from "./makeConsole.ts"
import { builtFolder } from "./place.ts"

await makeConsole(process.argv[2] ?? builtFolder())

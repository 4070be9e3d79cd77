import { Context } from "effect"

/** The program that this service runs in processes of its own. Its first argument says what the process does. */
export class OwnProgram extends Context.Service<OwnProgram, URL>()("turma/platform/processes/OwnProgram") {}

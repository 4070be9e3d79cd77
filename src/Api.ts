import { Contract } from "./Contract.ts"
import { documented } from "./operations/Documented.ts"

/** The whole contract, with what its document says beside what can be generated. */
export class Api extends documented(Contract) {}

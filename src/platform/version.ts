/** Of Turma and of the interface's description (contract, Versioning 1). */
export const version = "0.2.0"

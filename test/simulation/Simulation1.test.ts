import { simulateSeeds } from "./Seeds.ts"

simulateSeeds(1)

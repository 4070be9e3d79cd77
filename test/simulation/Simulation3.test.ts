import { simulateSeeds } from "./Seeds.ts"

simulateSeeds(101, 50)

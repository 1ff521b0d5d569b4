import { tellStories } from './stories.ts'

tellStories('MONAD')

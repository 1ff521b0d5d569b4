import { tellStories } from './stories.ts'

tellStories('STELLAR')

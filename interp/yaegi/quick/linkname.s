// Functions of yaegi's are declared here without bodies, which the compiler allows where there is a file of assembly.

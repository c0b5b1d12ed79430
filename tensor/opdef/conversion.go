package opdef

// conversionRows: operators that copy, and change dtype, device or layout.
var conversionRows = []Row{
	{"to(Tensor(a) self, Device? device=None, ScalarType? dtype=None, bool non_blocking=False, bool copy=False, *, Layout? layout=None, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly | CrossDevice, "To returns self on another device or in another dtype: self if nothing changes and copy is not set."},
	{"to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | FunctionOnly | MethodOnly, "ToDtype is To with the dtype first."},
	{"to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | FunctionOnly | MethodOnly, "ToOther is To with the device and dtype of other."},
	{"_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor", Fixed | FunctionOnly | MethodOnly, "ToCopy returns a copy on another device or in another dtype."},
	{"_fused(Tensor[] inputs, str body) -> Tensor[]", Fixed | FunctionOnly | MethodOnly, "Fused runs a chain of pointwise operators block by block, as one loop."},
	{"type_as(Tensor(a) self, Tensor other) -> Tensor(a)", Composite | MethodOnly, "TypeAs returns self in the dtype of other."},
	{"float(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Float returns self as float32: self if it is already."},
	{"double(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Double returns self as float64: self if it is already."},
	{"half(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Half returns self as float16: self if it is already."},
	{"bfloat16(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Bfloat16 returns self as bfloat16: self if it is already."},
	{"int(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Int returns self as int32: self if it is already."},
	{"long(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Long returns self as int64: self if it is already."},
	{"short(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Short returns self as int16: self if it is already."},
	{"char(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Char returns self as int8: self if it is already."},
	{"byte(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Byte returns self as uint8: self if it is already."},
	{"bool(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Bool returns self as bool: self if it is already."},
	{"cfloat(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Cfloat returns self as complex64: self if it is already."},
	{"cdouble(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Cdouble returns self as complex128: self if it is already."},
	{"cpu(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Cpu returns self in the memory of the CPU: self if it is there already."},
	{"contiguous(Tensor(a) self, MemoryFormat? memory_format=None) -> Tensor(a)", Composite | MethodOnly, "Contiguous returns self laid out row by row: self if it is already, else a copy."},
	{"clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", Fixed, "Clone returns a copy, which keeps dense strides."},
	{"copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)", Fixed | MethodOnly | CrossDevice, "Copy_ writes src, broadcast and converted, into self."},
	{"resize_(Tensor(a!) self, int[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)", Fixed | MethodOnly | Resizes, "Resize_ gives self another size; the storage grows if it must, with whatever the memory held."},
	{"resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)", Composite | MethodOnly, "ResizeAs_ gives self the size of another tensor."},
}
